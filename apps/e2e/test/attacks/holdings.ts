import { connect } from 'node:net';
import type { WebSocket } from 'ws';
import {
  type EndAttack,
  initialize,
  modernHeaders,
  modernMeta,
  openSse,
  openWebSocket,
  post,
  rawRequest,
  rawSockets,
} from './attacker.js';

/** Where a server can be reached. */
interface Ports {
  readonly port: number;
  readonly socketPort: number;
}

/** Makes a server keep about so many bytes for a caller, until the returned function is called. */
type Hold = (ports: Ports, bytes: number, caller: string) => Promise<EndAttack> | EndAttack;

const pads = {
  text: (bytes: number): unknown => 'x'.repeat(bytes),
  'two-byte text': (bytes: number): unknown => '€'.repeat(bytes / 3),
  values: (bytes: number): unknown => Array.from({ length: bytes / 20 }, () => ({ a: [{}], b: 'x' })),
};
type Pad = keyof typeof pads;

const call = (name: string, args: object = {}): object => ({
  jsonrpc: '2.0',
  id: 1,
  method: 'tools/call',
  params: { name, arguments: args, _meta: modernMeta },
});
const waiting = (pad: Pad, bytes: number): object => call('wait', { pad: pads[pad](bytes) });

/** The handshake of a client that describes itself at length. */
const handshake = (bytes: number): object =>
  initialize(
    { experimental: { x: { x: 'x'.repeat(Math.min(bytes, 60_000)) } } },
    { name: 'm', version: '1' },
  );

const uris = (bytes: number): string[] =>
  Array.from({ length: bytes / 8_000 }, (_, at) => `note:///${String(at)}/${'u'.repeat(7_900)}`);

const listening = (bytes: number): object => ({
  jsonrpc: '2.0',
  id: 1,
  method: 'subscriptions/listen',
  params: { notifications: { resourceSubscriptions: uris(bytes) }, _meta: modernMeta },
});

const overHttp =
  (message: (bytes: number) => object, method: string, target?: string, reads = true): Hold =>
  ({ port }, bytes, caller) =>
    rawSockets(port, 1, rawRequest(message(bytes), modernHeaders(caller, method, target)), reads);

const overWebSocket =
  (use: (socket: WebSocket, send: (message: object) => void, bytes: number) => void): Hold =>
  async ({ port }, bytes, caller) => {
    const socket = await openWebSocket(port, caller);
    use(socket, (message) => socket.send(JSON.stringify(message)), bytes);
    return () => socket.terminate();
  };

const overSocket =
  (message: (bytes: number) => object, reads = true): Hold =>
  ({ socketPort }, bytes) => {
    const socket = connect(socketPort, '127.0.0.1').on('error', () => undefined);
    if (reads) socket.resume();
    else socket.pause();
    socket.write(`${JSON.stringify(message(bytes))}\n`);
    return () => void socket.destroy();
  };

const calls = (pad: Pad): Readonly<Record<string, Hold>> => {
  const message = (bytes: number): object => waiting(pad, bytes);
  return {
    [`a call over Streamable HTTP, ${pad}`]: overHttp(message, 'tools/call', 'wait'),
    [`a call over HTTP+SSE, ${pad}`]: async ({ port }, bytes, caller) => {
      const headers = modernHeaders(caller, 'tools/call', 'wait');
      const { path, end } = await openSse(port, headers);
      const endPost = await post(port, path, headers, JSON.stringify(message(bytes)), false);
      return () => (endPost(), end());
    },
    [`a call over a WebSocket, ${pad}`]: overWebSocket((_, send, bytes) => send(message(bytes))),
    [`a call over a socket, ${pad}`]: overSocket(message),
  };
};

/** What a server keeps for its callers, on each transport. */
export const holdings: Readonly<Record<string, Hold>> = {
  ...calls('text'),
  ...calls('two-byte text'),
  ...calls('values'),
  'a body that has not arrived in full': ({ port }, bytes, caller) => {
    const headers = { ...modernHeaders(caller, 'tools/call'), 'content-length': String(bytes + 100) };
    return rawSockets(port, 1, rawRequest({}, headers) + ' '.repeat(bytes));
  },
  'a session over Streamable HTTP': ({ port }, bytes, caller) => {
    const headers = { ...modernHeaders(caller, 'initialize'), 'mcp-protocol-version': '2025-11-25' };
    return rawSockets(port, 1, rawRequest(handshake(bytes), headers), true);
  },
  'a subscription over Streamable HTTP': overHttp(listening, 'subscriptions/listen'),
  'an answer over Streamable HTTP that is not read': overHttp(
    () => call('large'),
    'tools/call',
    'large',
    false,
  ),
  'a stream over Streamable HTTP that is not read': overHttp(
    () => call('chatty'),
    'tools/call',
    'chatty',
    false,
  ),
  'a session over HTTP+SSE': async ({ port }, _, caller) =>
    (await openSse(port, modernHeaders(caller, 'initialize'))).end,
  'a session over a WebSocket that watches resources': overWebSocket((_, send, bytes) => {
    send(handshake(bytes));
    send({ jsonrpc: '2.0', method: 'notifications/initialized' });
    for (const [at, uri] of uris(bytes).entries())
      send({ jsonrpc: '2.0', id: at + 1, method: 'resources/subscribe', params: { uri } });
  }),
  'an answer to the first of two asks over a WebSocket': overWebSocket((socket, send, bytes) => {
    socket.once('message', () => {
      send({ jsonrpc: '2.0', method: 'notifications/initialized' });
      // Without its metadata it is one of the legacy era.
      send({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'asks', arguments: {} } });
      socket.once('message', (question: Buffer) => {
        const { id } = JSON.parse(question.toString()) as { id: number };
        send({ jsonrpc: '2.0', id, result: { action: 'accept', content: { name: 'x'.repeat(bytes) } } });
      });
    });
    send(initialize({ elicitation: {} }, { name: 'm', version: '1' }));
  }),
  'a subscription over a WebSocket': overWebSocket((_, send, bytes) => send(listening(bytes))),
  'answers over a WebSocket that are not read': overWebSocket((socket, send) => {
    socket.pause();
    send(call('large'));
  }),
  'an unfinished message of a WebSocket': overWebSocket((socket, _, bytes) =>
    socket.send('x'.repeat(bytes), { fin: false }),
  ),
  'an unfinished message in fragments of one byte': overWebSocket((socket, _, bytes) => {
    for (let at = 0; at < Math.min(bytes / 100, 10_000); at += 1) socket.send('x', { fin: false });
  }),
  'a session over a socket': overSocket(handshake),
  'an answer over a socket that is not read': overSocket(() => call('large'), false),
};
