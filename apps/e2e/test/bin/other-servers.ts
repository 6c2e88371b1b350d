import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { fileURLToPath, pathToFileURL } from 'node:url';

/** A server of another project. */
export interface OtherServer {
  readonly name: string;
  /** The words that start it with its standard streams. */
  readonly stdio: readonly string[];
  /** The words that start each listener, and the path of its URL. */
  readonly listeners: Readonly<Record<string, { readonly words: readonly string[]; readonly path: string }>>;
}

const fixture = (name: string): string => fileURLToPath(new URL(`fixtures/${name}.mjs`, import.meta.url));
const installed = (name: string): string => fileURLToPath(import.meta.resolve(name));

const own = (
  name: string,
  listeners: Readonly<Record<string, [how: string, path: string]>>,
): OtherServer => ({
  name,
  stdio: [fixture(name), 'stdio'],
  listeners: Object.fromEntries(
    Object.entries(listeners).map(([kind, [how, path]]) => [kind, { words: [fixture(name), how], path }]),
  ),
});

const everything = installed('@modelcontextprotocol/server-everything/dist/index.js');

/** The servers, each with every transport that it has. The folder is that of the server of files. */
export const otherServers = (folder: string): readonly OtherServer[] => [
  own('official-v1', { http: ['http', '/mcp'], sse: ['sse', '/sse'] }),
  own('official-v2', { http: ['http', '/mcp'] }),
  own('fast', { http: ['http', '/mcp'], sse: ['http', '/sse'] }),
  {
    name: 'everything',
    stdio: [everything, 'stdio'],
    listeners: {
      http: { words: [everything, 'streamableHttp'], path: '/mcp' },
      sse: { words: [everything, 'sse'], path: '/sse' },
    },
  },
  {
    name: 'filesystem',
    stdio: [installed('@modelcontextprotocol/server-filesystem/dist/index.js'), folder],
    listeners: {},
  },
];

/** Starts a listener at 127.0.0.1. Resolves with its URL, and what ends it. */
export async function listening({
  words,
  path,
}: OtherServer['listeners'][string]): Promise<{ readonly url: string; end(): Promise<void> }> {
  const local = pathToFileURL(fixture('listen-local')).href;
  const child = spawn(process.execPath, ['--import', local, ...words], {
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const closed = new Promise<void>((resolve) => child.once('close', () => resolve()));
  const port = await new Promise<string>((resolve, reject) => {
    let said = '';
    createInterface({ input: child.stderr }).on('line', (line) => {
      said += `${line}\n`;
      const found = /^port (\d+)$/.exec(line)?.[1];
      if (found !== undefined) resolve(found);
    });
    void closed.then(() => reject(new Error(`${words.join(' ')} ended: ${said}`)));
  });
  return {
    url: `http://127.0.0.1:${port}${path}`,
    async end() {
      child.kill('SIGKILL');
      await closed;
    },
  };
}
