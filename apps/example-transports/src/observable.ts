import {
  type Connection,
  type ConnectionHandler,
  ConnectionSet,
  createTransport,
  fromMessages,
  type FromMessagesOptions,
  type Transport,
} from '@rxmcp/transport';
import { fromEvent, map, type Observable, takeUntil } from 'rxjs';

/** An Observable of texts, and a function that sends one. */
export interface Texts {
  readonly messages$: Observable<unknown>;
  send(text: string): void;
  close(): void;
}

/** A connection over an Observable and a function. Its completion without a close message of the other side is a loss. */
export const overObservable = ({ messages$, send, close }: Texts, options: FromMessagesOptions): Connection =>
  fromMessages(
    {
      post: send,
      listen({ message, closed }) {
        const end = (cause?: unknown): void => closed(cause);
        const subscription = messages$.subscribe({ next: message, error: end, complete: end });
        return () => {
          subscription.unsubscribe();
          close();
        };
      },
    },
    options,
  );

/** The messages of a port until it closes. */
export const textsOf = (port: MessagePort): Texts => {
  const arrived$ = fromEvent<MessageEvent<unknown>>(port, 'message').pipe(map(({ data }) => data));
  port.start();
  return {
    messages$: arrived$.pipe(takeUntil(fromEvent(port, 'close'))),
    send: (text) => port.postMessage(text),
    close: () => port.close(),
  };
};

/** A transport within this process. Each dial makes two ports. */
export function observables(handler: ConnectionHandler): ConnectionSet & { transport: Transport } {
  let isServing = true;
  const connections = new ConnectionSet(handler, () => (isServing = false));
  const transport = createTransport('observables', async () => {
    if (!isServing) throw new Error('the server has stopped');
    const { port1, port2 } = new MessageChannel();
    connections.accept(overObservable(textsOf(port2), { isServer: true }));
    return overObservable(textsOf(port1), {});
  });
  return Object.assign(connections, { transport });
}
