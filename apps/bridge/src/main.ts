import process from 'node:process';
import type { Fault } from 'rxmcp';
import { bridge } from 'rxmcp';
import { serveHttp } from 'rxmcp/http/node';
import { serveSse } from 'rxmcp/sse/node';
import { serveStdio, stdio } from 'rxmcp/stdio';
import type { Acceptor, ServeHandle, Transport } from 'rxmcp/transport';
import { bearer } from 'rxmcp/transport/guard';
import { endpoint } from 'rxmcp/url';
import { serveWebSocket } from 'rxmcp/websocket/node';
import type { Invocation } from './arguments.js';
import { readArguments, usage, UsageError } from './arguments.js';
import { tokensOf } from './tokens.js';

try {
  await serve(readArguments(process.argv.slice(2)));
} catch (error) {
  const isUsage = error instanceof UsageError || error instanceof TypeError;
  if (error instanceof UsageError) console.error(usage);
  console.error(error instanceof Error ? error.message : String(error));
  process.exitCode = isUsage ? 2 : 1;
}

async function serve({ stdio: onPipe, ports, server }: Invocation): Promise<void> {
  const acceptor = bridge(transportOf(server), { onFault: tell });
  const tokens = tokensOf(process.env['RXMCP_TOKENS']);
  const guarded = tokens === undefined ? {} : { authenticate: bearer(tokens) };
  const listening: (ServeHandle & { readonly url: string })[] = [];
  const { http, sse, ws } = ports;
  if (http !== undefined) listening.push(await serveHttp(acceptor, { port: http, ...guarded }));
  if (sse !== undefined) listening.push(await serveSse(acceptor, { port: sse, ...guarded }));
  if (ws !== undefined) listening.push(await serveWebSocket(acceptor, { port: ws, ...guarded }));
  for (const { url } of listening) process.stderr.write(`listening ${url}\n`);
  if (onPipe) pipe(acceptor, listening);
  else for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => void stop(listening));
}

// The end of the pipe is the end of all of it: what listens beside it drains too.
function pipe(acceptor: Acceptor, listening: readonly ServeHandle[]): void {
  const serving = serveStdio(acceptor, { exit: listening.length === 0 });
  if (listening.length > 0) void serving.closed.then(() => stop(listening));
}

async function stop(listening: readonly ServeHandle[]): Promise<void> {
  await Promise.all(listening.map((each) => each.drain()));
  process.exit();
}

function transportOf(server: Invocation['server']): Transport {
  if ('url' in server) return endpoint(server.url);
  return stdio({ ...server, stderr: (line) => void process.stderr.write(`${line}\n`) });
}

function tell({ code, message }: Fault): void {
  process.stderr.write(`${code}: ${message}\n`);
}
