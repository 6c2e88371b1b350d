import { createClient } from '@redis/client';
import {
  type Connection,
  type ConnectionHandler,
  ConnectionSet,
  createTransport,
  fromMessages,
  type FromMessagesOptions,
  type ServeHandle,
  type Transport,
} from '@rxmcp/transport';

type Redis = ReturnType<typeof newClient>;
interface Entry {
  readonly id: string;
  readonly message: Record<string, string>;
}

/** How long Redis keeps what a side that crashed has left, in milliseconds. */
const keepMs = 60_000;

/** Never connected: its copies share its class, which takes milliseconds to make. */
const original = createClient({ disableOfflineQueue: true });

/** Without reconnecting: a connection that was lost is dialled again. */
const newClient = (url: string) => original.duplicate({ url, socket: { reconnectStrategy: false } });

async function opened(redis: Redis): Promise<Redis> {
  redis.on('error', () => undefined); // the command that fails says why
  await redis.connect();
  return redis;
}

async function openedPair(url: string): Promise<readonly [Redis, Redis]> {
  return Promise.all([opened(newClient(url)), opened(newClient(url))]);
}

/** Reads a stream until its client is destroyed, which rejects. `each` is called in order. */
async function readStream(
  reader: Redis,
  key: string,
  from: string,
  each: (entry: Entry) => void,
  after: (ids: string[]) => void = () => undefined,
): Promise<void> {
  for (let id = from; ;) {
    const [stream] = (await reader.xRead({ key, id }, { BLOCK: 0, COUNT: 256 })) as { messages: Entry[] }[];
    const { messages = [] } = stream ?? {};
    for (const entry of messages) each(entry);
    id = messages.at(-1)?.id ?? id;
    after(messages.map((entry) => entry.id));
  }
}

/** Reads one side's stream; `accepted` is called at the entry that says that the server has accepted the connection. */
interface Streams {
  readonly out: string;
  readonly into: string;
  readonly accepted?: () => void;
}

/** A connection over two streams, one for each direction. It owns both clients: one sends, the other waits for entries. */
function overStreams(
  [redis, reader]: readonly [Redis, Redis],
  { out, into, accepted }: Streams,
  options: FromMessagesOptions,
): Connection {
  return fromMessages(
    {
      async post(text) {
        await Promise.all([redis.xAdd(out, '*', { text }), redis.pExpire(out, keepMs)]);
      },
      listen({ message, closed }) {
        const each = ({ message: { text } }: Entry): void =>
          text === undefined ? accepted?.() : message(text);
        const drop = (ids: string[]): void => void redis.xDel(into, ids).catch(() => undefined);
        readStream(reader, into, '0', each, drop).catch(closed);
        return async () => {
          reader.destroy();
          if (redis.isOpen) await redis.del(into).finally(() => redis.destroy());
        };
      },
    },
    options,
  );
}

const trimmed = { TRIM: { strategy: 'MAXLEN', strategyModifier: '~', threshold: 100 } } as const;

/** A transport to the server that serves the name through Redis. */
export const redisStreams = (url: string, name: string, options: FromMessagesOptions = {}): Transport =>
  createTransport('redis-streams', async (signal) => {
    const id = crypto.randomUUID();
    const [out, into] = [`${name}:${id}:up`, `${name}:${id}:down`];
    const clients = await openedPair(url);
    let connection: Connection | undefined;
    try {
      await new Promise<void>((resolve, reject) => {
        if (signal.aborted) return reject(signal.reason as Error);
        signal.addEventListener('abort', () => reject(signal.reason as Error));
        connection = overStreams(clients, { out, into, accepted: resolve }, options);
        clients[0].xAdd(name, '*', { id }, trimmed).catch(reject);
      });
    } catch (cause) {
      void connection?.close(); // notifies the server, which may have accepted it
      if (connection === undefined) clients.forEach((client) => client.destroy());
      throw cause;
    }
    return connection as unknown as Connection;
  });

/** Serves every client that dials the name. */
export async function serveRedisStreams(
  handler: ConnectionHandler,
  url: string,
  name: string,
  options: FromMessagesOptions = {},
): Promise<ServeHandle> {
  const lobby = await opened(newClient(url));
  const connections = new ConnectionSet(handler, () => lobby.destroy());
  const accept = async (id: string): Promise<void> => {
    const clients = await openedPair(url);
    const [into, out] = [`${name}:${id}:up`, `${name}:${id}:down`];
    await Promise.all([clients[0].xAdd(out, '*', { accepted: id }), clients[0].pExpire(out, keepMs)]);
    connections.accept(overStreams(clients, { out, into }, { ...options, isServer: true }));
  };
  const newest = (await lobby.xRevRange(name, '+', '-', { COUNT: 1 }))?.[0];
  readStream(lobby, name, newest?.id ?? '0', ({ message: { id } }) => {
    if (id !== undefined) accept(id).catch(() => undefined); // its dial ends at a deadline
  }).catch(() => connections.close()); // Redis is lost
  return connections;
}
