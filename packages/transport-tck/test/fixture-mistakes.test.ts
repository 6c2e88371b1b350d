import type { Connection } from '@rxmcp/transport';
import { expect, test } from 'vitest';
import { type Fixture, type ServeFixture, verifyApplicableRules, verifyTransport } from '../src/index.js';
import { rules } from '../src/rules/index.js';
import { callsRig } from './calls/calls.js';
import { pipeRig } from './pipe.js';
import { run } from './run-rules.js';

/* Mistakes of a fixture, not of the transport: a rule ends in time and says which part of the fixture it is. */

const options = { stepTimeoutMs: 100, closeTimeoutMs: 200, ruleTimeoutMs: 600, lossMs: 100 };
const never = (): Promise<never> => new Promise(() => undefined);
const dialling = (connection: unknown): ServeFixture => {
  return async () => ({
    transport: { name: 'odd', dial: async () => connection as Connection },
    close: async () => undefined,
  });
};

test.each<[mistake: string, serve: ServeFixture, says: string]>([
  ['a serve that never resolves', never, "waited 100 ms for the fixture's `serve` to resolve"],
  ['a serve that throws', () => raise(), "the fixture's `serve` failed: no port"],
  [
    'a serve that gives nothing',
    async () => undefined as unknown as Fixture,
    "the fixture's `serve` resolved without a `transport` that has a `dial`",
  ],
  [
    'a serve that gives no close',
    async (acceptor) => ({ transport: pipeRig(acceptor).transport }) as Fixture,
    "the fixture's `serve` resolved without a `close`",
  ],
  [
    'an opening without its hook',
    async (acceptor) => ({ ...pipeRig(acceptor), acceptsAt: 'session' }),
    'the fixture has `acceptsAt: "session"` and no `openSession`',
  ],
  [
    'an opening that fails',
    async (acceptor) => ({
      ...pipeRig(acceptor),
      acceptsAt: 'session',
      openSession: () => Promise.reject(new Error('no session')),
    }),
    "the fixture's `openSession` failed: no session",
  ],
  [
    'another word for when connections are accepted',
    async (acceptor) => ({ ...pipeRig(acceptor), acceptsAt: 'often' as 'dial' }),
    'the fixture\'s `acceptsAt` is "often"',
  ],
  [
    'a hook that does not exist',
    async (acceptor) => ({ ...pipeRig(acceptor), injectFrames: () => undefined }) as Fixture,
    'the fixture of verifyTransport: unknown option "injectFrames", did you mean "injectFrame"?',
  ],
  [
    'a hook that once had another name',
    async (acceptor) => ({ ...pipeRig(acceptor), dropIdle: () => undefined }) as Fixture,
    'the fixture of verifyTransport: unknown option "dropIdle", did you mean "closeIdle"?',
  ],
  ['a dial that gives nothing', dialling(undefined), 'resolved with undefined, which is not a Connection'],
  ['a dial that gives something else', dialling({ start() {} }), 'a Connection that has no `send`'],
  [
    'a close that never resolves',
    async (acceptor) => ({ ...pipeRig(acceptor), close: never }),
    "waited 200 ms for the fixture's `close` to resolve",
  ],
  [
    'a close that fails',
    async (acceptor) => ({ ...pipeRig(acceptor), close: () => Promise.reject(new Error('not open')) }),
    "the fixture's `close` failed: not open",
  ],
])('%s', async (_mistake, serve, says) => {
  const { broken } = await run(serve, { options, only: /^start/ });
  expect(broken).toHaveLength(rules.filter(({ id }) => id.startsWith('start')).length);
  for (const message of broken) expect(message).toContain(says);
});

test.each([
  ['injectFrame', "the fixture's `injectFrame` hook had no effect: a valid message injected towards '"],
  ['cut', "the fixture's `cut` hook had no effect: neither side was notified of an end"],
])('a %s hook that does nothing', async (hook, says) => {
  const serve: ServeFixture = async (acceptor) => ({
    ...pipeRig(acceptor),
    notInjectable: [],
    [hook]: () => undefined,
  });
  const { broken } = await run(serve, {
    options,
    only: new RegExp(`^(${hook === 'cut' ? 'cut' : 'garbage'}|order)/`),
  });
  const needing = rules.filter(({ id }) =>
    hook === 'cut' ? id.startsWith('cut/loss') : id.startsWith('garbage/'),
  );
  expect(broken.map((message) => message.split(':')[0])).toEqual(needing.map(({ id }) => id));
  for (const message of broken) expect(message).toContain(says);
});

test('one of the other cuts that does nothing', async () => {
  const serve: ServeFixture = async (acceptor) => ({
    ...pipeRig(acceptor),
    otherCuts: { 'no route': () => undefined },
  });
  const { broken } = await run(serve, { options, only: /^cut\/other-ways/ });
  expect(broken).toEqual([
    expect.stringContaining('the fixture\'s `otherCuts["no route"]` hook had no effect: neither side'),
  ]);
});

test('a cutLane hook that does nothing', async () => {
  const serve: ServeFixture = async (acceptor) => ({
    ...callsRig(acceptor, 'dial'),
    cutLane: () => undefined,
  });
  const { broken } = await run(serve, { options, only: /^cut\/lane-(reported|served)/ });
  expect(broken).toHaveLength(2);
  for (const message of broken)
    expect(message).toContain("the fixture's `cutLane` hook had no effect: no side was notified");
});

test.each(['injectFrame', 'cut'])('a %s hook that never resolves', async (hook) => {
  const serve: ServeFixture = async (acceptor) => ({ ...pipeRig(acceptor), [hook]: never });
  const { broken } = await run(serve, { options, only: /^(garbage\/not-json|cut\/loss-settles)/ });
  expect(broken).toHaveLength(1);
  expect(broken[0]).toContain(`waited 100 ms for the fixture's \`${hook}\` hook to resolve`);
});

test('a rule that waits for a promise of the transport ends in time and names what it waited for', async () => {
  const serve: ServeFixture = async (acceptor) =>
    pipeRig(acceptor, (parts) => ({
      send: (...sent) => (void parts.send(...sent).catch(() => undefined), never()),
    }));
  const { broken } = await run(serve, { options, only: /^send-options\/(unknown|isolated)/ });
  expect(broken).toHaveLength(2);
  for (const message of broken) {
    expect(message).toContain(
      'the 600 ms that one rule may take were over while it waited for sends to settle (',
    );
  }
});

test('a fixture whose traits cannot be read is closed', async () => {
  let closed = 0;
  const serve: ServeFixture = async (acceptor) => ({
    ...pipeRig(acceptor),
    transport: { name: 'odd', dial: () => Promise.reject(new Error('no dial')) },
    close: async () => void (closed += 1),
  });
  const request = { test: () => undefined, serve, options };
  await expect(verifyApplicableRules(request)).rejects.toThrow('no dial');
  expect(closed).toBe(1);
});

test('waits that are longer than the rule may take end with it', async () => {
  const serve: ServeFixture = async (acceptor) =>
    pipeRig(acceptor, (parts) => ({ close: (end) => (end.served ? parts.close(end) : never()) }));
  const { broken } = await run(serve, {
    options: { stepTimeoutMs: 60_000, closeTimeoutMs: 60_000, ruleTimeoutMs: 600 },
    only: /^close\/in-order/,
  });
  expect(broken).toHaveLength(1);
  expect(broken[0]).toContain('were over while it waited for close() to resolve');
});

test('an instance of a class may have members of its own', async () => {
  const serve: ServeFixture = async (acceptor) =>
    Object.assign(
      new (class {
        readonly port = 1;
      })(),
      pipeRig(acceptor),
    );
  expect((await run(serve, { options, only: /^order\/sent/ })).broken).toEqual([]);
});

test.each([
  ['stepTimeout', 'did you mean "stepTimeoutMs"?'],
  ['lawMs', 'did you mean "ruleTimeoutMs"?'],
  [
    'timeout',
    'It has outOfProcess, ruleTimeoutMs, stepTimeoutMs, closeTimeoutMs, lossMs, knownBroken, report',
  ],
])('an option that does not exist: %s', async (name, says) => {
  const request = { test: () => undefined, serve: never, options: { [name]: 3 } };
  expect(() => verifyTransport(request)).toThrow(`verifyTransport: unknown option "${name}"`);
  expect(() => verifyTransport(request)).toThrow(says);
  await expect(verifyApplicableRules(request)).rejects.toThrow(says);
});

function raise(): never {
  throw new Error('no port');
}
