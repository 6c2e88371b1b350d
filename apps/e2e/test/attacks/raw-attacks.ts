import {
  type EndAttack,
  initialize,
  modernHeaders,
  modernMeta,
  overSockets,
  passed,
  type RawAttack,
  rawRequest,
  rawSockets,
  send,
} from './attacker.js';
import { subscriptionAttacks } from './subscription-attacks.js';

const kibibyte = 1024;
/** One connection with more of them is cut. */
export const pipelined = 16;

/** A call of a tool, which asks for log records. */
export function toolCall(name: string, id = 1): object {
  const _meta = { ...modernMeta, 'io.modelcontextprotocol/logLevel': 'debug' };
  return { jsonrpc: '2.0', id, method: 'tools/call', params: { name, arguments: {}, _meta } };
}

const callOf = (name: string): string =>
  rawRequest(toolCall(name), modernHeaders('mallory', 'tools/call', name));

/** Reads a resource as one of 30 callers, again after a refusal. A connection each: one that is kept may end as its next request comes. */
async function readReport(port: number, reader: number): Promise<void> {
  const params = { uri: 'text:report', _meta: modernMeta };
  for (;;) {
    const response = await fetch(`http://127.0.0.1:${String(port)}/mcp`, {
      method: 'POST',
      headers: {
        ...modernHeaders(`reader-${String(reader % 30)}`, 'resources/read', 'text:report'),
        connection: 'close',
      },
      body: JSON.stringify({ jsonrpc: '2.0', id: reader, method: 'resources/read', params }),
    });
    const text = await response.text();
    if (response.status === 200 && text.length > 3_500_000) return;
    // On a stream a refusal is an error with a time to retry after.
    if (response.status !== 503 && !text.includes('"retryAfterMs":'))
      throw new Error(`a reader got ${String(response.status)}: ${text.slice(0, 300)}`);
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}

/** A call that waits, with an argument of 30 kB: of 1,000 principals they fill half of the memory for all. */
const padded = {
  jsonrpc: '2.0',
  id: 1,
  method: 'tools/call',
  params: { name: 'wait', arguments: { pad: 'x'.repeat(30_000) }, _meta: modernMeta },
};

/** A call of a tool that asks, by a client that can answer. */
const nested = {
  jsonrpc: '2.0',
  id: 1,
  method: 'tools/call',
  params: {
    name: 'asks',
    arguments: {},
    _meta: { ...modernMeta, 'io.modelcontextprotocol/clientCapabilities': { elicitation: {} } },
  },
};

const upgrade = [
  'GET /ws HTTP/1.1',
  'host: localhost',
  'authorization: Bearer mallory',
  'connection: upgrade',
  'upgrade: websocket',
  'sec-websocket-version: 13',
  'sec-websocket-protocol: mcp',
  'sec-websocket-key: dGhlIHNhbXBsZSBub25jZQ==',
  '',
  '',
].join('\r\n');

/** A message as a line of a socket. */
const lineOf = (pad: string): string =>
  `${JSON.stringify({ jsonrpc: '2.0', method: 'notifications/unknown', params: { pad } })}\n`;

/** Attacks that are no single message, on the port over HTTP or that of the socket. */
export const rawAttacks: Readonly<Record<string, RawAttack>> = {
  '64 sockets only declare a body': (port) =>
    rawSockets(
      port,
      64,
      rawRequest({}, { ...modernHeaders('mallory', 'tools/call'), 'content-length': '4000000' }),
    ),
  '64 sockets send a body but for its end': (port) =>
    rawSockets(
      port,
      64,
      rawRequest({}, { ...modernHeaders('mallory', 'tools/call'), 'content-length': '4000000' }) +
        ' '.repeat(3_900_000),
    ),
  'requests for large answers are pipelined and nothing is read': (port) =>
    rawSockets(port, 24, callOf('large').repeat(pipelined)),
  'large answers are asked for on many sockets and nothing is read': (port) =>
    rawSockets(port, 128, callOf('large')),
  'event streams with many records are not read': (port) => rawSockets(port, 128, callOf('chatty')),
  'large answers over WebSockets are not read': (port) =>
    overSockets(port, 8, (socket) => {
      socket.pause();
      for (let id = 1; id <= 40; id += 1) send(socket, toolCall('large', id));
    }),
  'messages over WebSockets are never finished': (port) =>
    overSockets(port, 64, (socket) => {
      for (let part = 0; part < 60; part += 1) socket.send('x'.repeat(64 * kibibyte), { fin: false });
    }),
  'messages over WebSockets come in fragments of one byte': (port) =>
    overSockets(port, 32, (socket) => {
      for (let part = 0; part < 16_000; part += 1) socket.send('x', { fin: false });
    }),
  'one caller opens 4,000 sessions': async (port) => {
    const text = rawRequest(initialize({}, { name: 'mallory', version: '1' }), {
      ...modernHeaders('mallory', 'initialize'),
      'mcp-protocol-version': '2025-11-25',
    });
    return rawSockets(port, 250, text.repeat(pipelined), true);
  },
  '300 readers read a resource of 3.5 MB': async (port) => {
    await Promise.all(Array.from({ length: 300 }, (_, reader) => readReport(port, reader)));
    return () => undefined;
  },
  'small calls are pipelined by many connections': (port) =>
    rawSockets(port, 64, callOf('length').repeat(1_000), true),
  'results of 3 MB are made at once and not read': (port) => rawSockets(port, 256, callOf('made')),
  'large calls are made and left': async (port) => {
    for (let round = 0; round < 20; round += 1) {
      const end = rawSockets(port, 32, callOf('made'));
      await passed(50);
      end();
    }
    return () => undefined;
  },
  'bodies come in chunks of one byte': (port) =>
    rawSockets(
      port,
      16,
      rawRequest({}, { ...modernHeaders('mallory', 'tools/call'), 'transfer-encoding': 'chunked' })
        .replace(/content-length: \d+\r\n/, '')
        .replace(/\{\}$/, '1\r\n \r\n'.repeat(200_000)),
    ),
  'streams are opened with a body': (port) =>
    rawSockets(
      port,
      500,
      `GET /sse HTTP/1.1\r\nhost: localhost\r\nauthorization: Bearer mallory\r\ncontent-length: 1000000\r\n\r\n${'x'.repeat(200_000)}`,
      true,
    ),
  'heads of requests are not finished': async (port) => {
    const header = `x-pad: ${'x'.repeat(4_000)}\r\n`;
    const end = rawSockets(port, 2_000, `POST /mcp HTTP/1.1\r\nhost: localhost\r\n${header.repeat(3)}`);
    await passed(2_000);
    return end;
  },
  'requests with many headers wait behind a stream': async (port) => {
    const head = (method: string): string =>
      `${method} /sse HTTP/1.1\r\nhost: localhost\r\nauthorization: Bearer mallory\r\n`;
    const waiting = `${head('OPTIONS')}${'a: b\r\n'.repeat(990)}\r\n`.repeat(pipelined);
    const end = rawSockets(port, 200, `${head('GET')}\r\n${waiting}`, true);
    await passed(2_000);
    return end;
  },
  'WebSockets that the server closes get unfinished messages': (port) =>
    overSockets(port, 100, (socket) => {
      socket.send(Buffer.from('x'));
      for (let part = 0; part < 60; part += 1) socket.send('x'.repeat(64 * kibibyte), { fin: false });
    }),
  'a long argument is nested deep in calls that ask': (port) => {
    let pad: unknown = 'x'.repeat(3_800_000);
    for (let depth = 0; depth < 110; depth += 1) pad = [pad, 1];
    const message = { ...nested, params: { ...nested.params, arguments: { pad } } };
    return rawSockets(port, 16, rawRequest(message, modernHeaders('mallory', 'tools/call', 'asks')), true);
  },
  'lines over sockets are never finished': async (_port, socketPort) => {
    const end = rawSockets(socketPort, 40, lineOf('') + lineOf('x'.repeat(9_000_000)).trimEnd(), true);
    await passed(2_000);
    return end;
  },
  'lines of 9 MB come over sockets': async (_port, socketPort) => {
    const end = rawSockets(socketPort, 16, lineOf('x'.repeat(9_000_000)), true);
    await passed(2_000);
    return end;
  },
  'short notifications over sockets come without a pause': async (_port, socketPort) => {
    const end = rawSockets(socketPort, 32, lineOf('').repeat(20_000), true);
    await passed(2_000);
    return end;
  },
  'lines over sockets are not UTF-8': async (_port, socketPort) => {
    const end = rawSockets(
      socketPort,
      32,
      Buffer.from(lineOf('') + '\xff\n'.repeat(500_000), 'latin1'),
      true,
    );
    await passed(2_000);
    return end;
  },
  'pings over WebSockets come without a pause': (port) =>
    overSockets(port, 32, async (socket) => {
      for (let count = 0; count < 20_000; count += 1) {
        socket.ping();
        if (count % 500 === 0) await passed(0);
      }
    }),
  'short notifications over WebSockets come without a pause': (port) =>
    overSockets(port, 32, async (socket) => {
      for (let count = 0; count < 5_000; count += 1) {
        send(socket, { jsonrpc: '2.0', method: 'notifications/unknown' });
        if (count % 200 === 0) await passed(0);
      }
    }),
  'one caller opens 3,000 WebSockets': async (port) => {
    const end = rawSockets(port, 3_000, upgrade, true);
    await passed(3_000);
    return end;
  },
  'one caller opens 3,000 sessions over HTTP+SSE': async (port) => {
    const head = 'GET /sse HTTP/1.1\r\nhost: localhost\r\nauthorization: Bearer mallory\r\n';
    const end = rawSockets(port, 3_000, `${head}accept: text/event-stream\r\n\r\n`, true);
    await passed(3_000);
    return end;
  },
  ...subscriptionAttacks,
  'calls of 1,000 principals wait': async (port) => {
    const ends: EndAttack[] = [];
    for (let count = 0; count < 1_000; count += 1) {
      const headers = modernHeaders(`mallory ${String(count)}`, 'tools/call', 'wait');
      ends.push(rawSockets(port, 1, rawRequest(padded, headers)));
      if (count % 20 === 0) await passed(1);
    }
    return () => ends.forEach((end) => end());
  },
};
