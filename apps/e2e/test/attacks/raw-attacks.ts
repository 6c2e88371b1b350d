import type { WebSocket } from 'ws';
import {
  type EndAttack,
  initialize,
  modernHeaders,
  modernMeta,
  openWebSocket,
  rawRequest,
  rawSockets,
} from './attacker.js';

const kibibyte = 1024;

function toolCall(name: string, id = 1): object {
  const _meta = { ...modernMeta, 'io.modelcontextprotocol/logLevel': 'debug' };
  return { jsonrpc: '2.0', id, method: 'tools/call', params: { name, arguments: {}, _meta } };
}

const callOf = (name: string): string =>
  rawRequest(toolCall(name), modernHeaders('mallory', 'tools/call', name));

async function overSockets(
  port: number,
  count: number,
  use: (socket: WebSocket) => Promise<void> | void,
): Promise<EndAttack> {
  const sockets = await Promise.all(Array.from({ length: count }, () => openWebSocket(port)));
  await Promise.all(sockets.map(use));
  return () => {
    for (const socket of sockets) socket.terminate();
  };
}

const send = (socket: WebSocket, message: object): void => socket.send(JSON.stringify(message));

/** Reads a resource as one of 30 callers, again after a refusal. */
async function readReport(port: number, reader: number): Promise<void> {
  const params = { uri: 'text:report', _meta: modernMeta };
  for (;;) {
    const response = await fetch(`http://127.0.0.1:${String(port)}/mcp`, {
      method: 'POST',
      headers: modernHeaders(`reader ${String(reader % 30)}`, 'resources/read', 'text:report'),
      body: JSON.stringify({ jsonrpc: '2.0', id: reader, method: 'resources/read', params }),
    });
    const { length } = await response.text();
    if (response.status === 200 && length > 3_500_000) return;
    if (response.status !== 503) throw new Error(`a reader got ${String(response.status)}`);
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}

/** Attacks that are no single message. */
export const rawAttacks: Readonly<Record<string, (port: number) => Promise<EndAttack> | EndAttack>> = {
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
    rawSockets(port, 4, callOf('large').repeat(100)),
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
  'sessions watch as many long URIs as they may': (port) =>
    overSockets(port, 16, (socket) => {
      send(socket, initialize({}, { name: 'mallory', version: '1' }));
      send(socket, { jsonrpc: '2.0', method: 'notifications/initialized' });
      for (let id = 1; id <= 1_024; id += 1) {
        const uri = `note:///${'x'.repeat(8_000)}${String(id)}`;
        send(socket, { jsonrpc: '2.0', id, method: 'resources/subscribe', params: { uri } });
      }
    }),
  'subscriptions name as many long URIs as they may': (port) =>
    overSockets(port, 16, (socket) => {
      for (let id = 1; id <= 8; id += 1) {
        const resourceSubscriptions = Array.from(
          { length: 450 },
          (_, at) => `note:///${'x'.repeat(8_000)}${String(id)}-${String(at)}`,
        );
        const params = { notifications: { resourceSubscriptions }, _meta: modernMeta };
        send(socket, { jsonrpc: '2.0', id, method: 'subscriptions/listen', params });
      }
    }),
  'one caller opens 4,000 sessions': async (port) => {
    const text = rawRequest(initialize({}, { name: 'mallory', version: '1' }), {
      ...modernHeaders('mallory', 'initialize'),
      'mcp-protocol-version': '2025-11-25',
    });
    return rawSockets(port, 8, text.repeat(500), true);
  },
  '300 readers read a resource of 3.5 MB': async (port) => {
    await Promise.all(Array.from({ length: 300 }, (_, reader) => readReport(port, reader)));
    return () => undefined;
  },
};
