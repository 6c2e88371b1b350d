// Runs the conformance kit on transports many times, and counts the red runs: none may be red, under load either.
//   node scripts/clean-runs.mjs --runs 100 --load 4 memory message-port
import { spawn, spawnSync } from 'node:child_process';
import { parseArgs } from 'node:util';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { runs: { type: 'string', default: '100' }, load: { type: 'string', default: '0' } },
});
const transports =
  positionals.length > 0 ? positionals : ['memory', 'message-port', 'stdio', 'websocket', 'sse', 'http'];
const vitest = [
  'vitest',
  'run',
  ...transports.flatMap((name) => ['--project', name]),
  'tck.test',
  '--reporter=dot',
];
const busy = Array.from({ length: Number(values.load) }, () =>
  spawn(process.execPath, ['-e', 'for (;;);'], { stdio: 'ignore' }),
);
const env = { ...process.env, NO_COLOR: '1' };
const red = [];
const startedAt = performance.now();
for (let run = 1; run <= Number(values.runs); run += 1) {
  const { status, stderr } = spawnSync('pnpm', vitest, { encoding: 'utf8', env });
  console.log(`run ${run}: ${status === 0 ? 'clean' : 'red'}`);
  if (status === 0) continue;
  red.push(run);
  console.log(stderr); // where vitest says why
}
for (const child of busy) child.kill();
const seconds = Math.round((performance.now() - startedAt) / 1000);
console.log(`${transports.join(', ')}: ${values.runs} runs, ${red.length} red, ${seconds} s`);
process.exitCode = red.length === 0 ? 0 : 1;
