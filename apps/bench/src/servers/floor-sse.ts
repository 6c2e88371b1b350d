import { createServer, type Server, type ServerResponse } from 'node:http';
import { responseTo } from './floor-response.js';

/** The least code that answers as the others do: read, 202, parse, one switch, stringify, one write on the stream. */
export function serve(tools: readonly object[]): Server {
  const streams = new Map<string, ServerResponse>();
  return createServer((request, response) => {
    if (request.method === 'GET') {
      const url = `/messages?sessionId=${streams.size + 1}`;
      streams.set(url, response);
      return response.writeHead(200, head).write(`event: endpoint\ndata: ${url}\n\n`);
    }
    const stream = streams.get(request.url ?? '');
    if (stream === undefined) return response.writeHead(404).end();
    let body = Buffer.alloc(0);
    request.on('data', (chunk) => (body = body.length === 0 ? chunk : Buffer.concat([body, chunk])));
    request.on('end', () => {
      response.writeHead(202, ['content-length', '0']).end();
      const { id, method, params } = JSON.parse(body.toString());
      if (id === undefined) return;
      const text = JSON.stringify({ jsonrpc: '2.0', id, ...responseTo(method, params, tools) });
      stream.write(`event: message\ndata: ${text}\n\n`);
    });
  });
}
const head = ['content-type', 'text/event-stream'];
