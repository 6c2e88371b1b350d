// A child of the bench: reads one line of 8 MiB that arrives in chunks of 1 KiB and sends how long that took.
import { PassThrough } from 'node:stream';
import { CallClient } from '../client/call-client.js';
import { LineWire } from '../client/line-wire.js';
import type { Contestant } from '../settings.js';
import type { BenchEra } from '../requests.js';
import { serveContestant } from '../servers/serve.js';

const lineBytes = 8 * 1024 * 1024;
const chunkBytes = 1_024;

const [contestant, era] = process.argv.slice(2) as [Contestant, BenchEra];
const input = new PassThrough();
const output = new PassThrough();
await serveContestant(contestant, input, output, 1);
const client = new CallClient(era, new LineWire(output, input));
await client.open();

let before = process.cpuUsage();
let start = 0;
// An argument that the tool does not know makes the line long and not the reply.
await client.single({ padding: 'x'.repeat(lineBytes) }, (line) => {
  const bytes = Buffer.from(`${line}\n`);
  before = process.cpuUsage();
  start = performance.now();
  for (let at = 0; at < bytes.length; at += chunkBytes) input.write(bytes.subarray(at, at + chunkBytes));
});
const wallMs = performance.now() - start;
const { user, system } = process.cpuUsage(before);
process.send?.({ wallMs, cpuMicros: user + system }, () => process.exit(0));
