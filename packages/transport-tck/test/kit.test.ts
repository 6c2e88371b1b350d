import { readFileSync } from 'node:fs';
import { afterEach, expect, test, vi } from 'vitest';
import { pipeTraits, type Traits } from '@rxmcp/transport';
import type { ServeFixture } from '../src/index.js';
import type { RuleContext } from '../src/rules/rule-context.js';
import { rules } from '../src/rules/index.js';
import { opening } from './mutants/opening.js';
import { pipeRig } from './pipe.js';
import { run } from './run-rules.js';

const readme = readFileSync(new URL('../README.md', import.meta.url), 'utf8');
const rulesPage = readFileSync(
  new URL('../../../docs/reference/transport-rules.md', import.meta.url),
  'utf8',
);
const working: ServeFixture = async (acceptor) => pipeRig(acceptor);
const closesWithLane = opening.find(({ law }) => law === 'lanes/end-shared');

afterEach(() => {
  vi.useRealTimers();
});

test('virtual time does not stop the kit', async () => {
  vi.useFakeTimers({
    toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval', 'Date', 'performance'],
  });
  const { broken } = await run(working, { only: /^(start|order|close|cut)/ });
  expect(broken).toEqual([]);
});

test('timers that nothing can clear are no leak', async () => {
  const serve: ServeFixture = async (acceptor) =>
    pipeRig(acceptor, (parts) => ({
      start(...started) {
        AbortSignal.timeout(60_000);
        parts.start(...started);
      },
    }));
  const { broken } = await run(serve, { options: { stepTimeoutMs: 200 }, only: /^leak\/handles/ });
  expect(broken).toEqual([]);
});

test('a transport that carries 100 levels of nesting and no more keeps the rules about messages', async () => {
  const serve: ServeFixture = async (acceptor) =>
    pipeRig(acceptor, (parts) => ({
      enqueue: (end, text) => (text.split('{').length > 101 ? undefined : parts.enqueue(end, text)),
    }));
  const { broken } = await run(serve, { options: { stepTimeoutMs: 200 }, only: /^(limits|message)/ });
  expect(broken).toEqual([]);
});

test('a rule that does not apply is skipped through the context of the runner', async () => {
  const reasons: string[] = [];
  const context = { skip: (reason: string) => reasons.push(reason) };
  await run(working, { context, only: /^(lanes|relay|traits|start)/ });
  expect(reasons).toContain("traits.lanes is 'shared'");
  expect(reasons).toContain('no relay was passed');
  expect(reasons).toHaveLength(39);
});

test('a runner whose context is `this` skips as well', async () => {
  const reasons: string[] = [];
  const skip = (reason: string): never => {
    reasons.push(reason);
    throw new Error('as mocha leaves a test');
  };
  const { broken } = await run(working, { only: /^(lanes|start)/, self: { skip } });
  expect(reasons).toHaveLength(26);
  expect(broken).toEqual(reasons.map(() => 'as mocha leaves a test'));
});

test('the report names every rule that was not run', async () => {
  const only = /^(report|start|lanes|id|garbage|close|leak)/;
  const { reports, broken } = await run(working, { options: { outOfProcess: true }, only });
  const [report = ''] = reports;
  const count = Number(/^transport rules: (\d+) held/.exec(report)?.[1]);
  const named = rules.filter(({ id }) => report.includes(id));
  expect(count + broken.length + named.length).toBe(rules.filter(({ id }) => only.test(id)).length);
  expect(named.length).toBeGreaterThan(20);
});

test('a transport that cannot be served breaks every rule with its cause', async () => {
  const { broken } = await run(() => Promise.reject(new Error('port is taken')));
  expect(broken).toHaveLength(rules.length);
  expect(broken[0]).toContain('port is taken');
});

test('a broken rule says what was seen and ends with the last frames, as the README shows', async () => {
  const serve: ServeFixture = async (acceptor) => pipeRig(acceptor, closesWithLane?.change);
  const { broken } = await run(serve, { options: { stepTimeoutMs: 250 }, only: /^lanes/ });
  const message = broken.find((text) => text.startsWith('lanes/end-shared')) ?? '';
  expect(readme).toContain(message);
  expect(message).toContain('last frames:\n    ->');
});

const capable: RuleContext = {
  traits: pipeTraits,
  servedTraits: pipeTraits,
  acceptsAt: 'dial',
  outOfProcess: false,
  canInjectFrame: true,
  notInjectable: [],
  canCut: true,
  hasOtherCuts: true,
  relayed: 'bytes',
  relaysFrames: true,
  hasResidue: true,
  firstMessageTimeoutMs: 1_000,
  pausesReading: true,
  canCutLane: true,
  resumesLanes: false,
};

test.each<[needs: string, traits: Partial<Traits>, without: Partial<RuleContext>]>([
  ['injectFrame hook', {}, { canInjectFrame: false }],
  ['otherCuts', {}, { hasOtherCuts: false }],
  ['cut hook', {}, { canCut: false }],
  ['cut hook', { lanes: 'per-request' }, { canCut: false }],
  ['cutLane hook', { lanes: 'per-request' }, { canCutLane: false }],
  ['residue hook', {}, { hasResidue: false }],
  ['firstMessageTimeoutMs', {}, { firstMessageTimeoutMs: undefined }],
  ['pausesReading', {}, { pausesReading: false }],
  ['not serverInitiates', { serverInitiates: false }, { traits: pipeTraits }],
  ['not clientReplies', { clientReplies: false }, { traits: pipeTraits }],
  ['not carriesHeaders', {}, { traits: { ...pipeTraits, carriesHeaders: true } }],
  ['not redialable', { redialable: false }, { traits: pipeTraits }],
])('the page of rules names what a rule needs: %s', (needs, change, without) => {
  const traits = { ...pipeTraits, ...change };
  const context = { ...capable, traits };
  const needing = rules.filter(({ skipIf }) => {
    const applies = skipIf !== undefined && skipIf(context) === undefined;
    return applies && skipIf({ ...context, ...without }) !== undefined;
  });
  expect(needing).not.toEqual([]);
  for (const { id } of needing) {
    const row = rulesPage.split('\n').find((line) => line.startsWith(`| \`${id}\``));
    expect(row?.split(' | ')[2]).toContain(needs);
  }
});

test('the page of rules lists every rule', () => {
  const [section = ''] = rulesPage.split('## The official transports\n');
  const rows = [...section.matchAll(/^\| `([^`]+)`\s+\| (.+?)\s+\| .*\|$/gm)];
  expect(rows.map(([, id, says]) => `${id ?? ''}: ${says ?? ''}`).sort()).toEqual(
    rules.map(({ id, description }) => `${id}: ${description}`).sort(),
  );
});
