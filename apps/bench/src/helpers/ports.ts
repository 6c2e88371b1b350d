import type { MessagePort } from 'node:worker_threads';
import { type Connection, createConnection, fromMessages, pipeTraits } from '@rxmcp/transport';

/** Texts over a port, with the helper. */
export const helpedPort = (port: MessagePort, isServer: boolean): Connection =>
  fromMessages(
    {
      post: (text) => port.postMessage(text),
      listen({ message, closed }) {
        port.on('message', message).on('close', () => closed());
        return () => port.close();
      },
    },
    { heartbeatIntervalMs: Infinity, isServer },
  );

const window = 1_024;

/** The same by hand: a text for each message, a number for those that were read, and `null` for the end. */
export function portByHand(port: MessagePort, isServer: boolean): Connection {
  let unread = 0;
  let read = 0;
  let waiting: (() => void)[] = [];
  return createConnection(
    (sink) => {
      port.on('close', () => sink.closed());
      return {
        start: () =>
          void port.on('message', (data: string | number | null) => {
            if (typeof data === 'string') {
              read += 1;
              if (read >= window / 2) {
                port.postMessage(read);
                read = 0;
              }
              sink.text(data);
            } else if (data === null) port.close();
            else {
              unread -= data;
              for (const go of waiting.splice(0)) go();
              waiting = [];
            }
          }),
        send(text) {
          port.postMessage(text);
          unread += 1;
          return unread < window ? undefined : new Promise<void>((go) => waiting.push(go));
        },
        close: () => port.postMessage(null),
      };
    },
    pipeTraits,
    { isServer },
  );
}
