import {
  type Connection,
  type ConnectionHandler,
  ConnectionSet,
  createTransport,
  type CreateTransportOptions,
  fromMessages,
  type FromMessagesOptions,
  type ServeHandle,
  type Transport,
} from '@rxmcp/transport';

/** A connection over two BroadcastChannels, one for each direction. */
const overChannels = (
  out: BroadcastChannel,
  into: BroadcastChannel,
  options: FromMessagesOptions,
): Connection =>
  fromMessages(
    {
      post: (text) => out.postMessage(text),
      listen({ message }) {
        into.onmessage = ({ data }) => message(data);
        return () => {
          out.close();
          into.close();
        };
      },
    },
    options,
  );

/** A transport to the server that `serveBroadcast` serves in another tab, worker or thread of the same origin. */
export const broadcast = (
  name: string,
  options: FromMessagesOptions & CreateTransportOptions = {},
): Transport =>
  createTransport(
    'broadcast',
    async (signal) => {
      const id = crypto.randomUUID();
      const lobby = new BroadcastChannel(name);
      const up = new BroadcastChannel(`${name} ${id} up`);
      const connection = overChannels(up, new BroadcastChannel(`${name} ${id} down`), options);
      try {
        await new Promise<void>((resolve, reject) => {
          lobby.onmessage = ({ data }) => (data === `accepted ${id}` ? resolve() : undefined);
          signal.addEventListener('abort', () => reject(signal.reason as Error));
          lobby.postMessage(`dial ${id}`);
        });
        return connection;
      } catch (cause) {
        void connection.close();
        throw cause;
      } finally {
        lobby.close();
      }
    },
    options,
  );

/** Serves every client that dials the name. */
export function serveBroadcast(
  handler: ConnectionHandler,
  name: string,
  options: FromMessagesOptions = {},
): ServeHandle {
  const lobby = new BroadcastChannel(name);
  const connections = new ConnectionSet(handler, () => lobby.close());
  lobby.onmessage = ({ data }) => {
    const id = /^dial ([\w-]{36})$/.exec(String(data))?.[1];
    if (id === undefined) return;
    const down = new BroadcastChannel(`${name} ${id} down`);
    const up = new BroadcastChannel(`${name} ${id} up`);
    connections.accept(overChannels(down, up, { ...options, isServer: true }));
    lobby.postMessage(`accepted ${id}`);
  };
  return connections;
}
