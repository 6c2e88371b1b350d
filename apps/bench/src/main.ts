import { cpus } from 'node:os';
import { relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { cliContestants, cliTasks, measureCli } from './cli/measure-cli.js';
import { measureLongLine } from './children/measure-long-line.js';
import { measuredRows } from './children/measured-child.js';
import { measureServer } from './children/measure-server.js';
import type { Tasks } from './children/tasks.js';
import { contestants, isInMemory, speakersOf, titles, settingsOf } from './settings.js';
import { type Options, type Part, parseOptions, usage } from './options.js';
import { fullPlan, quickPlan } from './plan.js';
import { writeCsv } from './report/csv.js';
import { tableOf } from './report/table.js';
import type { Contestant, Row } from './settings.js';
import { measureSessions, openableSockets } from './sessions/measure-sessions.js';
import { measureStart, starts } from './start/measure-start.js';
import { measureTypes } from './types/measure-types.js';

const results = fileURLToPath(new URL('../results/latest.csv', import.meta.url));

let options: Options;
try {
  options = parseOptions(process.argv.slice(2));
} catch (error) {
  console.error(`${(error as Error).message}\n${usage}`);
  process.exit(2);
}
const plan = options.quick ? quickPlan : fullPlan;
const rows: Row[] = [];

for (const setting of settingsOf(plan, options)) {
  const { transport, era, tools, inFlight } = setting;
  const title = `${transport}, ${era}, ${tools} tools, ${inFlight} in flight`;
  await alternate(title, plan.rounds, speakersOf(setting), (contestant, round) =>
    isInMemory(transport)
      ? measuredRows('memory-run', { setting, contestant, round, plan })
      : measureServer(setting, contestant, round, plan),
  );
}
if (wants('stdio'))
  // How a line is read does not depend on the era.
  await alternate('long line', plan.longLineRounds, contestants, (contestant, round) =>
    measureLongLine(contestant, 'legacy', round),
  );
if (wants('sessions')) {
  const count = Math.min(plan.sessions.count, openableSockets());
  await alternate(`${count} sessions`, plan.sessions.rounds, contestants, (contestant, round) =>
    measureSessions(contestant, count, round),
  );
}
for (const inFlight of [1, 64]) {
  const task = { inFlight, plan: plan.awaited };
  if (wants('await'))
    for (const link of ['memory', 'stdio'] as const)
      await turns(`awaited calls: ${link}, ${inFlight} in flight`, 'await-run', { ...task, link });
  if (wants('helpers'))
    for (const carrier of ['port', 'frames'] as const)
      await turns(`helpers: ${carrier}, ${inFlight} in flight`, 'helpers-run', { ...task, carrier });
  if (wants('charge'))
    await turns(`charged and uncharged calls, ${inFlight} in flight`, 'charge-run', {
      inFlight,
      plan: plan.charge,
    });
}
if (wants('auth')) await turns('calls with a token and without one', 'auth-run', plan.auth);
if (wants('start'))
  for (const { kind, contestants: started } of starts)
    await alternate(`start, ${kind}`, plan.startRounds, started, (contestant, round) =>
      measureStart(kind, contestant, round),
    );
if (wants('cli'))
  for (const task of cliTasks)
    await alternate(`rxmcp ${task}`, plan.cli.rounds, cliContestants, (contestant, round) =>
      measureCli(task, contestant, round, plan.cli.runs),
    );
if (wants('types')) await alternate('types', plan.typeRounds, ['v2', 'rxmcp'] as const, measureTypes);

rows.sort((a, b) => order(a) - order(b));
await writeCsv(results, rows);
console.log(`${preface()}\n\n${tableOf(rows)}`);
console.log(`${rows.length} raw rows: ${relative(process.cwd(), results)}`);

function preface(): string {
  const names = Object.entries(titles).map(([contestant, title]) => `  ${contestant.padEnd(6)}  ${title}`);
  return [
    `Node ${process.version} on ${cpus().length} x ${cpus()[0]?.model ?? 'an unknown processor'}`,
    `median of ${plan.rounds} alternating round${plan.rounds === 1 ? '' : 's'}; spread = (max - min) / median of the CPU time; every reply checked`,
    'CPU: user + system time of the server process; in memory of client, server and bridge, which share one process',
    'each request is a write of its own; all servers answer with the same members',
    'fetch: Streamable HTTP on web requests, behind the adapter that the official SDKs use; v2 runs on it under http too',
    'in memory the floor and rxmcp isolate messages by a copy; v1 and v2 hand them over by reference, inside send',
    ...names,
  ].join('\n');
}

function wants(part: Part): boolean {
  return options.only === undefined || options.only === part;
}

/** Measures what takes turns in one process. */
async function turns<Script extends keyof Tasks>(
  title: string,
  script: Script,
  task: Tasks[Script],
): Promise<void> {
  note(title);
  rows.push(...(await measuredRows(script, task)));
}

/** Measures contestants one after the other. Every round another one begins. */
async function alternate<C extends Contestant>(
  title: string,
  rounds: number,
  list: readonly C[],
  measure: (contestant: C, round: number) => Row | Promise<Row | Row[]>,
): Promise<void> {
  for (let round = 1; round <= rounds; round += 1) {
    const by = (round - 1) % list.length;
    for (const contestant of [...list.slice(by), ...list.slice(0, by)]) {
      note(`${title}: ${contestant}, round ${round} of ${rounds}`);
      rows.push(...[await measure(contestant, round)].flat());
    }
  }
}

/** Sorts within one setting and phase by contestant only: the sort keeps the order of equals. */
function order(row: Row): number {
  return Object.keys(titles).indexOf(row.contestant);
}

function note(text: string): void {
  if (process.stderr.isTTY) process.stderr.write(`\r\u001b[K${text}`);
  else console.error(text);
}
