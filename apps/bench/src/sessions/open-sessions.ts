import { connect, type Socket } from 'node:net';
import { headerIn, type HttpResponse } from '../client/http-response.js';
import { HttpPool, requestHead } from '../client/http-pool.js';
import { jsonHeaders } from '../client/http-wire.js';
import { initialized, listing, opening, type Reply, versions } from '../requests.js';

const lanes = 64;
const sessionHeaders = (id: string): string[] => [
  `mcp-protocol-version: ${versions.legacy}`,
  `mcp-session-id: ${id}`,
];

/** Opens so many sessions, each as a client would: the handshake, then the list of the tools. Gives their ids. */
export async function openSessions(url: string, count: number, tools: number): Promise<string[]> {
  const { port, pathname } = new URL(url);
  const pool = await HttpPool.open(Number(port), lanes);
  try {
    const failed = new Promise<never>((_, reject) => {
      pool.fail = reject;
    });
    const post = (message: string, session?: string): Promise<HttpResponse> => {
      const own = session === undefined ? [] : sessionHeaders(session);
      const head = requestHead(`POST ${pathname}`, [
        ...jsonHeaders,
        ...own,
        `content-length: ${message.length}`,
      ]);
      return new Promise((resolve) => pool.send(`${head}\r\n\r\n${message}`, resolve));
    };
    const one = async (): Promise<string> => {
      const opened = await post(opening('legacy', 1)[0]);
      const session = headerIn(opened.head, 'mcp-session-id');
      if (session === undefined) throw new Error(`no session was opened: ${opened.body.slice(0, 300)}`);
      await post(initialized[0], session);
      const { result } = JSON.parse((await post(listing('legacy', 2)[0], session)).body) as Reply;
      if (result?.tools?.length !== tools) throw new Error('a session lists other tools');
      return session;
    };
    return await Promise.race([inLanes(Array.from({ length: count }, () => one)), failed]);
  } finally {
    pool.close();
  }
}

/** Opens the stream of each session on a socket of its own. */
export function openStreams(url: string, sessions: readonly string[]): Promise<Socket[]> {
  const { port, pathname } = new URL(url);
  return inLanes(sessions.map((session) => () => streamOf(Number(port), pathname, session)));
}

function streamOf(port: number, path: string, session: string): Promise<Socket> {
  const socket = connect({ port, host: '127.0.0.1', noDelay: true });
  const head = requestHead(`GET ${path}`, ['accept: text/event-stream', ...sessionHeaders(session)]);
  socket.write(`${head}\r\n\r\n`);
  return new Promise((resolve, reject) => {
    socket.once('error', reject);
    socket.once('data', (response) => {
      const text = response.toString('latin1');
      if (!text.startsWith('HTTP/1.1 200 ')) return reject(new Error(`no stream was opened: ${text}`));
      socket.on('error', () => undefined);
      resolve(socket.resume());
    });
  });
}

/** Does all of it, some at a time; the results in order. */
async function inLanes<T>(tasks: readonly (() => Promise<T>)[]): Promise<T[]> {
  const results: T[] = [];
  let next = 0;
  const lane = async (): Promise<void> => {
    while (next < tasks.length) {
      const index = next++;
      results[index] = await (tasks[index] as () => Promise<T>)();
    }
  };
  await Promise.all(Array.from({ length: lanes }, lane));
  return results;
}
