import type { ConnectionHandler } from '@rxmcp/transport';
import { answerRequest } from './answer-request.js';
import type { EchoPeer } from './exchange.js';

/**
 * The served side of every law: serve it in another process to prove a transport that has one.
 * Needs nothing but a transport's own `serve`.
 */
export function echoConnectionHandler(): ConnectionHandler {
  return {
    accept(connection) {
      const speaker: EchoPeer = {
        send: (out, envelope) => connection.send(out, envelope),
        endLane: (lane) => connection.endLane(lane),
        close: () => connection.close(),
        held: [],
      };
      const closed = new Promise<void>((resolve) => {
        connection.start({
          received: (incoming, arrival) => answerRequest(speaker, incoming, arrival),
          laneClosed: () => undefined,
          fault: () => undefined,
          closed: () => resolve(),
        });
      });
      return { drain: () => Promise.resolve(), closed };
    },
  };
}
