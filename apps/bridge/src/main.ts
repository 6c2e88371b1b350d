import process from 'node:process';
import type { Fault } from 'rxmcp';
import { bridge } from 'rxmcp';
import { serveHttp } from 'rxmcp/http/node';
import { serveSse } from 'rxmcp/sse/node';
import { serveStdio, stdio } from 'rxmcp/stdio';
import type { Acceptor, ServeHandle, Transport } from 'rxmcp/transport';
import { type Authenticate, bearer } from 'rxmcp/transport/guard';
import { endpoint } from 'rxmcp/url';
import { serveWebSocket, webSocket } from 'rxmcp/websocket/node';
import type { Invocation } from './arguments.js';
import { readArguments, usage, UsageError } from './arguments.js';
import { linksOf } from './links.js';
import { tokensOf } from './tokens.js';
import { untilStopped } from './until-stopped.js';

/** The faults that end a link otherwise than in order. */
const losses: ReadonlySet<string> = new Set([
  'CONNECTION_LOST',
  'DIAL_ABORTED',
  'DIAL_FAILED',
  'OVERFLOW',
  'SESSION_LOST',
  'STALLED',
]);
let isLost = false;
// Whoever read it may go first: what is said then is said to nobody, and ends nothing.
process.stderr.on('error', () => undefined);

try {
  await serve(readArguments(process.argv.slice(2)));
} catch (error) {
  const isUsage = error instanceof UsageError || error instanceof TypeError;
  if (error instanceof UsageError) console.error(usage);
  console.error(error instanceof Error ? error.message : String(error));
  process.exitCode = isUsage ? 2 : 1;
}

async function serve({ stdio: onPipe, ports, server }: Invocation): Promise<void> {
  const links = linksOf(bridge(transportOf(server), { onFault: tell }));
  const tokens = tokensOf(process.env['RXMCP_TOKENS']);
  const listening = await listeners(
    links,
    ports,
    tokens === undefined ? {} : { authenticate: bearer(tokens) },
  );
  const pipe = onPipe ? serveStdio(links, { exit: false }) : undefined;
  const isAlone = listening.length === 0;
  untilStopped({
    // The end of the pipe is the end of all of it: what listens beside it drains too.
    ...(pipe === undefined ? { parts: listening } : { parts: [...listening, pipe], ended: pipe.closed }),
    gone: () => links.gone(),
    needsParent: isAlone,
    exitCode: () => (isAlone && isLost ? 1 : 0),
  });
  for (const { url } of listening) process.stderr.write(`listening ${url}\n`);
}

type Listener = ServeHandle & { readonly url: string };

async function listeners(
  links: Acceptor,
  { http, sse, ws }: Invocation['ports'],
  guarded: { readonly authenticate?: Authenticate },
): Promise<Listener[]> {
  const listening: Listener[] = [];
  try {
    if (http !== undefined) listening.push(await serveHttp(links, { port: http, ...guarded }));
    if (sse !== undefined) listening.push(await serveSse(links, { port: sse, ...guarded }));
    if (ws !== undefined) listening.push(await serveWebSocket(links, { port: ws, ...guarded }));
    return listening;
  } catch (error) {
    // One of several that cannot listen: the others would keep the program alive.
    await Promise.all(listening.map((each) => each.close()));
    throw error;
  }
}

function transportOf(server: Invocation['server']): Transport {
  // One file for every platform would dial with the WebSocket that this Node may not have.
  if ('url' in server) return /^wss?:/i.test(server.url) ? webSocket(server.url) : endpoint(server.url);
  return stdio({ ...server, stderr: (line) => void process.stderr.write(`${line}\n`) });
}

function tell({ code, message }: Fault): void {
  if (losses.has(code)) isLost = true;
  process.stderr.write(`${code}: ${message}\n`);
}
