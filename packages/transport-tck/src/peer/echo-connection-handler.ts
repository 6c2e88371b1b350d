import type { ConnectionHandler } from '@rxmcp/transport';
import { handleRequest } from './handle-request.js';
import { createEchoPeer } from './exchange.js';

/**
 * Returns the served side of every rule. Serve it in another process to verify a transport with `outOfProcess: true`.
 */
export function echoConnectionHandler(): ConnectionHandler {
  return {
    accept(connection) {
      const peer = createEchoPeer(connection, (out, options) => connection.send(out, options));
      const closed = new Promise<void>((resolve) => {
        connection.start({
          received: (incoming, info) => handleRequest(peer, incoming, info),
          laneClosed: () => undefined,
          fault: () => undefined,
          closed: () => resolve(),
        });
      });
      return { drain: () => Promise.resolve(), closed };
    },
  };
}
