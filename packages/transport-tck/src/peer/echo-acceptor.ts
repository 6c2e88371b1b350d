import type { Acceptor } from '@rxmcp/transport';
import { answer } from './answer.js';
import type { Speaker } from './exchange.js';

/**
 * The served side of every law: serve it in another process to prove a transport that has one.
 * Needs nothing but a transport's own `serve`.
 */
export function echoAcceptor(): Acceptor {
  return {
    accept(connection) {
      const speaker: Speaker = {
        send: (out, envelope) => connection.send(out, envelope),
        endLane: (lane) => connection.endLane(lane),
        close: () => connection.close(),
        held: [],
      };
      const closed = new Promise<void>((resolve) => {
        connection.start({
          received: (incoming, arrival) => answer(speaker, incoming, arrival),
          laneClosed: () => undefined,
          fault: () => undefined,
          closed: () => resolve(),
        });
      });
      return { drain: () => Promise.resolve(), closed };
    },
  };
}
