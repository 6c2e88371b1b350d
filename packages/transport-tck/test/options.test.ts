import { EventEmitter } from 'node:events';
import { expect, test } from 'vitest';
import type { ServeFixture, WatchedChild } from '../src/index.js';
import { pause } from '../src/base/clock.js';
import { brokerFixture } from './wires/broker.js';
import { pipeRig } from './pipe.js';
import { run } from './run-rules.js';

/* What options and hooks of a fixture do to the rules. */

const options = { stepTimeoutMs: 200, closeTimeoutMs: 300, lossMs: 200 };
const normalizing: ServeFixture = async (handler) =>
  pipeRig(handler, (parts) => ({ text: (out) => parts.text(out).normalize('NFC') }));
const working: ServeFixture = async (handler) => pipeRig(handler);

test('a rule that is known to be broken passes, and the report lists it separately', async () => {
  const knownBroken = ['message/unnormalized-text'];
  const { broken, reports } = await run(normalizing, {
    options: { ...options, knownBroken },
    only: /^(message\/unnorm|report|dial)/,
  });
  expect(broken).toEqual([]);
  expect(reports[0]).toMatch(/^transport rules: 5 held\n {2}known to be broken: message\/unnormalized-text$/);
});

test('a rule that is known to be broken fails once it holds', async () => {
  const knownBroken = ['message/unnormalized-text'];
  const { broken } = await run(working, { options: { knownBroken }, only: /^message/ });
  expect(broken).toEqual(['message/unnormalized-text holds and is in `knownBroken`. Remove it there.']);
});

test('knownBroken names rules', async () => {
  const knownBroken = ['message/no-such-rule'];
  await expect(run(working, { options: { knownBroken } })).rejects.toThrow(
    'verifyTransport: knownBroken has "message/no-such-rule", which is not a rule',
  );
});

/** A pipe whose sides notice a loss after a while. */
const slowToNotice =
  (ms: number): ServeFixture =>
  async (handler) =>
    pipeRig(handler, (parts) => ({ cut: (end) => void pause(ms).then(() => parts.cut(end)) }));

test('lossMs bounds how long a loss goes unnoticed, longer than one step and one rule may take', async () => {
  const only = /^cut\/loss/;
  const late = { stepTimeoutMs: 100, closeTimeoutMs: 100, ruleTimeoutMs: 400, lossMs: 100 };
  const { broken } = await run(slowToNotice(600), { options: late, only });
  expect(broken).toHaveLength(2);
  for (const message of broken) expect(message).toContain('neither side was notified of an end');
  const patient = await run(slowToNotice(600), { options: { ...late, lossMs: 5_000 }, only });
  expect(patient.broken).toEqual([]);
});

/** A pipe that runs something with a child process while a rule runs. */
function withChild(use: (child: EventEmitter, stderr: EventEmitter) => void): ServeFixture {
  return async (handler, watch) => {
    const stderr = new EventEmitter();
    const child = Object.assign(new EventEmitter(), { stderr });
    watch.child(child as unknown as WatchedChild);
    setImmediate(use, child, stderr);
    return pipeRig(handler);
  };
}

test.each<[does: string, use: (child: EventEmitter, stderr: EventEmitter) => void, says?: string]>([
  [
    'ends with an exit code',
    (child) => child.emit('exit', 3, null),
    'a child process ended with exit code 3',
  ],
  [
    'is ended by a fault',
    (child) => child.emit('exit', null, 'SIGSEGV'),
    'a child process ended with SIGSEGV',
  ],
  [
    'writes to its standard error',
    (_, stderr) => stderr.emit('data', Buffer.from('Error: write EPIPE\n    at somewhere\n')),
    'a child process wrote to its standard error: Error: write EPIPE\n',
  ],
  ['ends in order', (child) => child.emit('exit', 0, null)],
  ['is killed by the cut hook', (child) => child.emit('exit', null, 'SIGKILL')],
])('a child that %s', async (_does, use, says) => {
  const { broken } = await run(withChild(use), { options, only: /^order\/sent/ });
  expect(broken).toHaveLength(says === undefined ? 0 : 1);
  if (says === undefined) return;
  expect(broken[0]).toContain('order/sent: ');
  expect(broken[0]).toContain(`outside every promise of the transport: ${says}`);
});

test('a line that the fixture passes on breaks the rule that runs', async () => {
  const serve: ServeFixture = async (handler, watch) => {
    watch.stderr('a warning');
    return pipeRig(handler);
  };
  const { broken } = await run(serve, { options, only: /^order\/sent/ });
  expect(broken).toHaveLength(1);
  expect(broken[0]).toContain('a child process wrote to its standard error: a warning');
});

test('residue() that grows breaks its rule with both counts', async () => {
  let entries = 0;
  const growing: ServeFixture = async (handler) => ({ ...pipeRig(handler), residue: () => (entries += 1) });
  const only = /^leak\/residue/;
  const { broken } = await run(growing, { options: { ...options, ruleTimeoutMs: 1_500 }, only });
  expect(broken).toHaveLength(1);
  expect(broken[0]).toMatch(/after 30 more requests \d+ entries are kept, and \d after the first/);
  const kept = await run(async (handler) => brokerFixture(handler), { only });
  expect(kept.broken).toEqual([]);
  const failing: ServeFixture = async (handler) => ({
    ...pipeRig(handler),
    residue: () => Promise.reject(new Error('no broker')),
  });
  expect((await run(failing, { options, only })).broken[0]).toContain(
    "the fixture's `residue` failed: no broker",
  );
});

test('frames may be injected late, by a hook that returns a promise', async () => {
  const serve: ServeFixture = async (handler) => {
    const rig = pipeRig(handler);
    return { ...rig, injectFrame: (...frame) => pause(20).then(() => rig.injectFrame?.(...frame)) };
  };
  const { broken } = await run(serve, { options, only: /^garbage/ });
  expect(broken).toEqual([]);
});

test.each([
  ['null', null],
  ['an error of another class', new Error('gone')],
])('a transport that reports an end with %s breaks rules with a message that says so', async (_, end) => {
  const serve: ServeFixture = async (handler) =>
    pipeRig(handler, (parts) => ({ over: (at) => parts.over(at, end as never) }));
  const { broken } = await run(serve, { options, only: /^close\/in-order/ });
  expect(broken).toHaveLength(1);
  expect(broken[0]).toContain('saw ["no TransportError"]');
  expect(broken[0]).toContain(`<- closed(${String(end)})`);
});
