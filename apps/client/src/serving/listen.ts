import type { ConnectionHandler, ServeHandle } from 'rxmcp/transport';
import type { Program } from '../command.js';
import { exits } from '../failure.js';
import { UsageError } from '../usage-error.js';
import type { Ports } from './listen-options.js';
import { tokensOf } from './tokens.js';

/** Serves until the program must end, or standard input ends. Running calls get their time to finish. Resolves with the exit code. */
export async function serveUntilEnd(
  handler: ConnectionHandler,
  ports: Ports,
  { env, signal, terminal }: Program,
): Promise<number> {
  const handles = await listening(handler, ports, env);
  for (const { url } of handles) terminal.tell(`listening ${url}`);
  const aborted = new Promise<void>((resolve) => {
    if (signal.aborted) resolve();
    signal.addEventListener('abort', () => resolve(), { once: true });
  });
  if (handles.length > 0) {
    await aborted;
    await Promise.all(handles.map((handle) => handle.drain()));
    return exits.good;
  }
  const { serveStdio } = await import('rxmcp/stdio');
  const pipe = serveStdio(handler, { exitOnDisconnect: false });
  await Promise.race([pipe.closed, aborted]);
  await pipe.drain();
  return exits.good;
}

type Listener = ServeHandle & { readonly url: string };

/** Listens at each port; if one is taken, at none. */
async function listening(
  handler: ConnectionHandler,
  { http, sse, ws }: Ports,
  env: NodeJS.ProcessEnv,
): Promise<readonly Listener[]> {
  const guarded = await tokensOf(env);
  const handles: Listener[] = [];
  try {
    if (http !== undefined)
      handles.push(await (await import('rxmcp/http/node')).serveHttp(handler, { port: http, ...guarded }));
    if (sse !== undefined)
      handles.push(await (await import('rxmcp/sse/node')).serveSse(handler, { port: sse, ...guarded }));
    if (ws !== undefined)
      handles.push(
        await (await import('rxmcp/websocket/node')).serveWebSocket(handler, { port: ws, ...guarded }),
      );
    return handles;
  } catch (error) {
    await Promise.all(handles.map((handle) => handle.close()));
    const { code, port } = error as NodeJS.ErrnoException & { readonly port?: number };
    if (code !== 'EADDRINUSE') throw error;
    throw new UsageError(`the port ${String(port)} is in use. Pass another one, or 0 for a free one`);
  }
}
