import {
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

function listen(id: number, resourceSubscriptions: readonly string[]): object {
  const params = { notifications: { resourceSubscriptions }, _meta: modernMeta };
  return { jsonrpc: '2.0', id, method: 'subscriptions/listen', params };
}

/** Attacks with subscriptions and watched resources. */
export const subscriptionAttacks: Readonly<Record<string, RawAttack>> = {
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
        send(socket, listen(id, resourceSubscriptions));
      }
    }),
  'subscriptions name many URIs of a template whose values are large': (port) =>
    overSockets(port, 8, (socket, index) => {
      const resourceSubscriptions = Array.from(
        { length: 500 },
        (_, at) => `page:///${String(500 * index + at)}`,
      );
      send(socket, listen(1, resourceSubscriptions));
    }),
  'subscriptions open and end without a pause': (port) =>
    overSockets(port, 16, async (socket) => {
      const resourceSubscriptions = Array.from({ length: 200 }, (_, at) => `note:///${String(at)}`);
      for (let id = 0; id < 200; id += 1) {
        send(socket, listen(id, resourceSubscriptions));
        send(socket, { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: id } });
        if (id % 10 === 0) await passed(1);
      }
    }),
  'subscriptions over HTTP are opened and left': async (port) => {
    const headers = modernHeaders('mallory', 'subscriptions/listen');
    const requests = Array.from({ length: 16 }, (_, client) => {
      const uris = Array.from({ length: 40 }, (__, at) => `note:///${String(client)}-${String(at)}`);
      return rawRequest(listen(1, uris), headers);
    });
    for (let round = 0; round < 40; round += 1) {
      const ends = requests.map((request) => rawSockets(port, 1, request));
      await passed(5);
      for (const end of ends) end();
    }
    return () => undefined;
  },
};
