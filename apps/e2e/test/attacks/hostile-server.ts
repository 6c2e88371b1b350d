import { createServer, type ServerResponse } from 'node:http';
import { type AddressInfo, createServer as createPipe, type Socket } from 'node:net';
import { createInterface } from 'node:readline';
import type { Writable } from 'node:stream';
import { WebSocketServer } from 'ws';
import { type Asked, greeting, type Kind, type Order, type Transport, type Voice } from './hostile.js';

/** A hostile server that runs. */
export interface Hostile {
  readonly target: Order['target'];
  close(): void;
}

const overhead = 200;

/** What a client reads at most of one message, in bytes. */
const largest: Record<Transport, number> = {
  http: 16_777_216,
  'sse-answer': 16_777_216,
  sse: 16_777_216,
  websocket: 4_194_304,
  stdio: 10_485_760,
};

/** Starts a server that attacks every client that connects. */
export async function hostile(kind: Kind, over: Transport, era: Voice['era']): Promise<Hostile> {
  if (over === 'stdio') return overPipe(kind, era);
  if (over === 'websocket') return overWebSocket(kind, era);
  if (over === 'sse') return overSse(kind, era);
  return overHttp(kind, over, era);
}

/** A voice on a stream; `frame` makes bytes of the text of a message. */
function voiceOf(
  out: Writable,
  over: Transport,
  era: Voice['era'],
  id: number | undefined,
  frame: (text: string) => string | Promise<void>,
): Voice {
  const raw = (bytes: string | Buffer): Promise<void> =>
    new Promise((resolve) => {
      if (!out.writable) resolve();
      else if (out.write(bytes)) setImmediate(resolve);
      else {
        const done = (): void => {
          out.off('drain', done).off('close', done).off('error', done);
          resolve();
        };
        out.on('drain', done).on('close', done).on('error', done);
      }
    });
  const say = async (message: object): Promise<void> => {
    const text = JSON.stringify(message).replace('LARGEST', () => 'x'.repeat(largest[over] - overhead));
    const framed = frame(text);
    await (typeof framed === 'string' ? raw(framed) : framed);
  };
  return {
    era,
    get isOpen() {
      return out.writable;
    },
    send: say,
    result: (result) => say({ jsonrpc: '2.0', id, result }),
    raw,
  };
}

/** Answers as the kind does, and otherwise as any server. */
async function respond(kind: Kind, asked: Asked, voice: Voice): Promise<void> {
  const { era } = voice;
  const attack = kind.answer(asked, voice);
  if (attack !== false) return attack;
  // Its answers need none.
  if (asked.id === undefined || (asked.method as unknown) === undefined) return;
  const opens = era === 'modern' ? 'server/discover' : 'initialize';
  if (asked.method === opens) return voice.result(greeting(era));
  if (asked.method === 'server/discover')
    return voice.send({ jsonrpc: '2.0', id: asked.id, error: { code: -32601, message: 'unknown' } });
  return voice.result({ resultType: 'complete', tools: [], resources: [] });
}

async function listen(server: ReturnType<typeof createPipe>): Promise<number> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return (server.address() as AddressInfo).port;
}

const overHttp = (kind: Kind, over: Transport, era: Voice['era']): Promise<Hostile> =>
  serveRequests('/mcp', (asked, response) => {
    if (asked.method === 'DELETE') response.end();
    else void answerHttp(kind, over, era, asked, response);
  });

/** HTTP+SSE: a post is accepted at once, and its answer comes on the stream. */
async function overSse(kind: Kind, era: Voice['era']): Promise<Hostile> {
  let stream: ServerResponse | undefined;
  return serveRequests('/sse', (asked, response) => {
    if (asked.method === 'GET') {
      stream = response.writeHead(200, { 'content-type': 'text/event-stream' });
      // Each answer waits for it.
      stream.setMaxListeners(0);
      stream.write('event: endpoint\ndata: /post\n\n');
      return;
    }
    const isHead = attacksWithHeads(kind, asked);
    if (!isHead) response.writeHead(202).end();
    const out = isHead ? (response.socket as Socket) : (stream as ServerResponse);
    const voice = voiceOf(out, 'sse', era, asked.id, (text) => `data: ${text}\n\n`);
    void respond(kind, asked, voice);
  });
}

/** Calls `answer` for each request; one without a message has the method of HTTP. */
async function serveRequests(
  path: string,
  answer: (asked: Asked, response: ServerResponse) => void,
): Promise<Hostile> {
  // On a busy machine a client may need more than the 5 s between two requests after which Node would close the connection.
  const server = createServer({ keepAliveTimeout: 120_000 }, (request, response) => {
    response.on('error', () => undefined);
    const parts: Buffer[] = [];
    request.on('data', (part: Buffer) => parts.push(part));
    request.on('end', () => {
      const { method = '' } = request;
      answer(
        method === 'POST' ? (JSON.parse(Buffer.concat(parts).toString()) as Asked) : { method },
        response,
      );
    });
  });
  const port = await listen(server);
  return {
    target: `http://127.0.0.1:${String(port)}${path}`,
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}

/** Whether the answer is written below HTTP. */
const attacksWithHeads = ({ name }: Kind, { method }: Asked): boolean =>
  name.startsWith('heads') && method === 'tools/call';

async function answerHttp(
  kind: Kind,
  over: Transport,
  era: Voice['era'],
  asked: Asked,
  response: ServerResponse,
): Promise<void> {
  if (asked.id === undefined && asked.method !== 'GET') {
    response.writeHead(202).end();
    return;
  }
  if (attacksWithHeads(kind, asked))
    return respond(kind, asked, voiceOf(response.socket as Socket, over, era, asked.id, String));
  const streams = over === 'sse-answer' || asked.method === 'GET' || asked.method === 'subscriptions/listen';
  response.writeHead(200, { 'content-type': streams ? 'text/event-stream' : 'application/json' });
  response.flushHeaders();
  const frame = streams ? (text: string) => `data: ${text}\n\n` : (text: string) => text;
  // The bytes of chunks are written as they are.
  const out = kind.name.includes('chunks') ? (response.socket as Socket) : response;
  await respond(
    kind,
    asked,
    voiceOf(out === response || asked.method === 'tools/call' ? out : response, over, era, asked.id, frame),
  );
  if (asked.method !== 'GET') response.end();
}

async function overWebSocket(kind: Kind, era: Voice['era']): Promise<Hostile> {
  const server = createServer();
  const sockets = new WebSocketServer({ server });
  sockets.on('connection', (socket, request) => {
    socket.on('error', () => undefined);
    let isFirst = true;
    socket.on('message', (data: Buffer) => {
      const asked = JSON.parse(data.toString()) as Asked;
      const voice = voiceOf(
        request.socket,
        'websocket',
        era,
        asked.id,
        (text) => new Promise((resolve) => socket.send(text, () => setImmediate(resolve))),
      );
      // A fragment is one of a message that has begun.
      if (kind.name.includes('fragments') && asked.method === 'tools/call' && isFirst) {
        isFirst = false;
        request.socket.write(Buffer.from([0x01, 0x01, 0x61]));
      }
      if (kind.name.includes('not read') && asked.method === 'tools/call') request.socket.pause();
      void respond(kind, asked, voice);
    });
  });
  const port = await listen(server);
  return {
    target: `ws://127.0.0.1:${String(port)}/`,
    close: () => {
      for (const socket of sockets.clients) socket.terminate();
      server.closeAllConnections();
      server.close();
    },
  };
}

/** The child only connects its pipes with this process. */
const child = `const socket = require('node:net').connect(Number(process.argv[1]), '127.0.0.1');
process.stdin.on('end', () => process.exit()).pipe(socket).on('error', () => process.exit()).pipe(process.stdout).on('error', () => process.exit());
if (process.argv[2] === 'stderr') (function flood() { process.stderr.write('e'.repeat(65536), flood); })();`;

function readAsked(line: string): Asked | undefined {
  try {
    return JSON.parse(line) as Asked;
  } catch {
    return undefined;
  }
}

async function overPipe(kind: Kind, era: Voice['era']): Promise<Hostile> {
  const open = new Set<Socket>();
  const server = createPipe((socket) => {
    open.add(socket.on('error', () => undefined));
    const lines = createInterface({ input: socket });
    // It reports the errors of its input as well.
    lines.on('error', () => undefined);
    lines.on('line', (line) => {
      const asked = readAsked(line);
      // A client that disconnects leaves a part of a line.
      if (asked === undefined) return;
      void respond(
        kind,
        asked,
        voiceOf(socket, 'stdio', era, asked.id, (text) => `${text}\n`),
      );
    });
  });
  const port = await listen(server);
  return {
    target: { command: process.execPath, args: ['-e', child, String(port), kind.name] },
    close: () => {
      for (const socket of open) socket.destroy();
      server.close();
    },
  };
}
