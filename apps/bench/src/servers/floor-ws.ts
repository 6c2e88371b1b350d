import type { Server } from 'node:http';
import { WebSocketServer } from 'ws';

/** The least code that answers as the others do, on a bare `ws`: parse, one switch, stringify, one send. */
export function serve(server: Server, tools: readonly object[]): void {
  const sockets = new WebSocketServer({ server, perMessageDeflate: false });
  sockets.on('connection', (socket) => {
    socket.on('message', (data: Buffer) => {
      const { id, method, params } = JSON.parse(data.toString());
      if (id !== undefined) socket.send(JSON.stringify({ jsonrpc: '2.0', id, ...answer(method, params) }));
    });
  });

  type Params = { protocolVersion: string; _meta?: object; arguments: { text: string } };
  function answer(method: string, params: Params): object {
    switch (method) {
      case 'tools/call': {
        const content = [{ type: 'text', text: params.arguments.text }];
        return { result: params._meta === undefined ? { content } : { resultType, content, _meta } };
      }
      case 'tools/list':
        return { result: { resultType, tools, ttlMs: 0, cacheScope: 'private', _meta } };
      case 'server/discover':
        return { result: { resultType, supportedVersions, ttlMs: 0, cacheScope: 'private', ...self, _meta } };
      case 'initialize':
        return { result: { protocolVersion: params.protocolVersion, serverInfo, ...self } };
    }
    return { error: { code: -32601, message: 'unknown method' } };
  }
}
const [resultType, supportedVersions, self] = ['complete', ['2026-07-28'], { capabilities: { tools: {} } }];
const serverInfo = { name: 'floor', version: '1.0.0' };
const _meta = { 'io.modelcontextprotocol/serverInfo': serverInfo };
