// A child of the bench: calls that are awaited and calls that are subscribed to take turns; sends a row for each turn.
import { fileURLToPath } from 'node:url';
import { defineClient, type Remote } from 'rxmcp';
import { memory } from 'rxmcp/memory';
import { stdio } from 'rxmcp/stdio';
import { tools } from 'rxmcp/tools';
import type { AwaitLink, AwaitTask } from './await/measure-await.js';
import { expectedText } from './requests.js';
import { make } from './servers/rxmcp.js';
import type { Row } from './settings.js';

const { link, inFlight, plan } = JSON.parse(process.argv[2] ?? '') as AwaitTask;
const remote = await connected(link);
const echo = tools(remote);
const perLane = Math.ceil(plan.calls / inFlight);
const calls = perLane * inFlight;
const ways = { awaited, rxmcp: subscribed };
type Way = keyof typeof ways;

const rows: Row[] = [];
// The first turns warm the code of both.
for (let round = -2; round <= plan.rounds; round += 1) {
  const order: Way[] = round % 2 === 0 ? ['awaited', 'rxmcp'] : ['rxmcp', 'awaited'];
  for (const way of order) {
    const row = await turn(way, round);
    if (round > 0) rows.push(row);
  }
}
await remote.close();
process.send?.(rows, () => process.exit(0));

async function turn(way: Way, round: number): Promise<Row> {
  const before = process.cpuUsage();
  const start = performance.now();
  await Promise.all(Array.from({ length: inFlight }, () => ways[way](perLane)));
  const wallMs = performance.now() - start;
  const { user, system } = process.cpuUsage(before);
  return {
    transport: 'await',
    era: 'modern',
    tools: 1,
    inFlight,
    phase: link,
    heat: 'warm',
    contestant: way,
    round,
    calls,
    cpuMicros: (user + system) / calls,
    callsPerSecond: (calls * 1_000) / wallMs,
    p50Micros: (wallMs * 1_000 * inFlight) / calls,
    p99Micros: 0,
  };
}

async function awaited(count: number): Promise<void> {
  for (let id = 0; id < count; id += 1) check(await echo.call('echo', { text: expectedText(id) }), id);
}

function subscribed(count: number): Promise<void> {
  return new Promise((resolve, reject) => {
    const next = (id: number): void => {
      if (id === count) {
        resolve();
        return;
      }
      echo.call('echo', { text: expectedText(id) }).subscribe({
        next: (result) => check(result, id),
        error: reject,
        complete: () => next(id + 1),
      });
    };
    next(0);
  });
}

function check({ content: [block] }: { readonly content: readonly unknown[] }, id: number): void {
  const { text } = block as { readonly text?: string };
  if (text !== expectedText(id)) throw new Error(`a wrong reply: ${text}`);
}

function connected(kind: AwaitLink): Promise<Remote> {
  const client = defineClient({ info: { name: 'bench', version: '1.0.0' }, eras: ['modern'] });
  if (kind === 'stdio') {
    const server = fileURLToPath(new URL('./echo-server.js', import.meta.url));
    return client.connect(stdio({ command: process.execPath, args: [server, 'stdio'] }));
  }
  const transport = memory();
  transport.serve(make(1));
  return client.connect(transport);
}
