import { readFileSync } from 'node:fs';
import { afterEach, expect, test, vi } from 'vitest';
import { verifyTransport, type Serve, type VerifyOptions } from '../src/index.js';
import { laws } from '../src/laws/index.js';
import { opening } from './mutants/opening.js';
import { pipeRig } from './pipe.js';

const readme = readFileSync(new URL('../README.md', import.meta.url), 'utf8');
const working: Serve = async (acceptor) => pipeRig(acceptor);
const closesWithLane = opening.find(({ law }) => law === 'lanes/end-shared');

afterEach(() => {
  vi.useRealTimers();
});

test('virtual time does not stop the kit', async () => {
  vi.useFakeTimers({
    toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval', 'Date', 'performance'],
  });
  const { broken } = await run(working);
  expect(broken).toEqual([]);
});

test('a law that does not apply is skipped through the context of the runner', async () => {
  const reasons: string[] = [];
  await run(working, {}, { skip: (reason: string) => reasons.push(reason) });
  expect(reasons).toContain("traits.lanes is 'shared'");
  expect(reasons).toHaveLength(8);
});

test('the report names every law that was not run', async () => {
  const { reports, broken } = await run(working, { remote: true });
  const [report = ''] = reports;
  const count = Number(/^transport laws: (\d+) held/.exec(report)?.[1]);
  const named = laws.filter(({ id }) => report.includes(id));
  expect(count + broken.length + named.length).toBe(laws.length);
  expect(named.length).toBeGreaterThan(20);
});

test('a transport that cannot be served breaks every law with its cause', async () => {
  const { broken } = await run(() => Promise.reject(new Error('port is taken')));
  expect(broken).toHaveLength(laws.length);
  expect(broken[0]).toContain('port is taken');
});

test('a broken law says what was seen and ends with the last frames, as the README shows', async () => {
  const serve: Serve = async (acceptor) => pipeRig(acceptor, closesWithLane?.change);
  const { broken } = await run(serve, { waitMs: 250 });
  const message = broken.find((text) => text.startsWith('lanes/end-shared')) ?? '';
  expect(readme).toContain(message);
  expect(message).toContain('last frames:\n    ->');
});

test('the README lists every law', () => {
  const rows = [...readme.matchAll(/^\| `([^`]+)`\s+\| (.+?)\s+\| .*\|$/gm)];
  expect(rows.map(([, id, says]) => [id, says])).toEqual(laws.map(({ id, says }) => [id, says]));
});

/** Runs every law one after the other and gives the messages of the broken ones. */
async function run(
  serve: Serve,
  options: VerifyOptions = {},
  context?: unknown,
): Promise<{ broken: string[]; reports: string[] }> {
  const runs: ((context?: unknown) => Promise<void>)[] = [];
  const reports: string[] = [];
  verifyTransport({
    test: (_name, law) => runs.push(law),
    serve,
    options: { report: (line) => reports.push(line), ...options },
  });
  const broken: string[] = [];
  for (const law of runs) await law(context).catch((error: unknown) => broken.push((error as Error).message));
  return { broken, reports };
}
