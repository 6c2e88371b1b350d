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

/** How often a client asks for a server until one has accepted it, in milliseconds. */
const dialEachMs = 200;

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
      // A server may start later.
      const dial = (): void => lobby.postMessage(`dial ${id}`);
      const dialling = setInterval(dial, dialEachMs);
      try {
        await new Promise<void>((resolve, reject) => {
          let chosen: string | undefined;
          lobby.onmessage = ({ data }) => {
            const [word, client, server] = String(data).split(' ');
            if (client !== id) return;
            if (word === 'accepted') resolve();
            // Each server of this name offers itself, and the first one is taken: another one later would handle requests twice.
            else if (word === 'offered' && chosen === undefined)
              lobby.postMessage(`take ${id} ${(chosen = String(server))}`);
          };
          signal.addEventListener('abort', () => reject(signal.reason as Error));
          dial();
        });
        return connection;
      } catch (cause) {
        void connection.close();
        throw cause;
      } finally {
        clearInterval(dialling);
        lobby.close();
      }
    },
    options,
  );

/** Serves the clients that dial the name, and take this server if there are several. */
export function serveBroadcast(
  handler: ConnectionHandler,
  name: string,
  options: FromMessagesOptions = {},
): ServeHandle {
  const lobby = new BroadcastChannel(name);
  const server = crypto.randomUUID();
  const connections = new ConnectionSet(handler, () => lobby.close());
  lobby.onmessage = ({ data }) => {
    const [word, id = '', taken] = String(data).split(' ');
    if (!/^[\w-]{36}$/.test(id)) return;
    if (word === 'dial') lobby.postMessage(`offered ${id} ${server}`);
    if (word !== 'take' || taken !== server) return;
    const down = new BroadcastChannel(`${name} ${id} down`);
    const up = new BroadcastChannel(`${name} ${id} up`);
    connections.accept(overChannels(down, up, { ...options, isServer: true }));
    lobby.postMessage(`accepted ${id}`);
  };
  return connections;
}
