import process from 'node:process';
import { parseArgs } from 'node:util';
import { serveHttp } from 'rxmcp/http/node';
import { conformanceServer } from './server/conformance-server.js';

const port = parsePort(process.argv.slice(2));
if (port === undefined) {
  console.error('usage: node server.js --port PORT');
  process.exit(2);
}

const server = conformanceServer();
server.faults$.subscribe(({ code, message }) => console.error(`${code}: ${message}`));
// Clients of sessions poll: a response that takes longer than a second becomes a stream that closes and is resumed.
const listening = await serveHttp(server, { port, streamAfterMs: 1_000, pollIntervalMs: 250 });
console.error(`listening ${listening.url}`);

for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.once(signal, () => void listening.drain().then(() => process.exit(0)));
}

/** Reads `--port PORT`, 0 for a free one. Undefined for anything else. */
function parsePort(args: readonly string[]): number | undefined {
  try {
    const { port = '' } = parseArgs({ args: [...args], options: { port: { type: 'string' } } }).values;
    return /^\d{1,5}$/.test(port) && Number(port) < 2 ** 16 ? Number(port) : undefined;
  } catch {
    return undefined;
  }
}
