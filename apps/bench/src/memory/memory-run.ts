// A child of the bench: runs one contestant in memory through all phases and sends its rows.
import { connectContestant } from './connect.js';
import { report, taskOf } from '../children/tasks.js';
import { run, timed } from './run-calls.js';
import { type Row, rowOf } from '../settings.js';

const { setting, contestant, round, plan } = taskOf<'memory-run'>();
const { era, tools, inFlight } = setting;
const link = await connectContestant(contestant, era, tools);
const listed = await link.count();
if (listed !== tools) throw new Error(`${contestant} lists ${listed} tools, not ${tools}`);

const rows: Row[] = [];
let done = 0;
for (const { name, after, calls, heat } of plan.phases) {
  if (done < after) await run(link, done, after - done, inFlight);
  const before = process.cpuUsage();
  const start = performance.now();
  await run(link, after, calls, inFlight);
  const wallMs = performance.now() - start;
  const { user, system } = process.cpuUsage(before);
  done = after + calls;
  // Taking the time of each call costs as much as a fast call; cold calls cannot be repeated to take it apart.
  const latencies = heat === 'warm' ? await timed(link, plan.timedCalls, inFlight) : [];
  const row = { ...setting, phase: name, heat, contestant, round };
  rows.push(rowOf(row, { calls, cpuMicros: user + system, wallMs }, latencies));
}
report(rows);
