import { describe, expect, test } from 'vitest';
import { exhaustive } from '../../../../vitest.exhaustive.js';
import { generousTimeouts } from '../../../../vitest.kit.js';
import { type ServeFixture, type VerifyOptions, verifyApplicableRules } from '../../src/index.js';
import { brokerFixture } from './broker.js';
import { bundled } from '../../../../vitest.bundle.js';
import { childFixture } from './child.js';
import { portFixture } from './port.js';
import { ruleTraffic } from '../rule-traffic.js';
import { streamFixture } from './stream.js';

/* The unbroken wires of the mutants hold every rule. */

const holds = (serve: ServeFixture, options?: VerifyOptions): Promise<void> =>
  verifyApplicableRules({ test, serve, options: { ...generousTimeouts, ...options } });

describe('a stream of bytes', async () => {
  const traffic = await ruleTraffic(test, streamFixture, generousTimeouts);

  // What the other rules of the relay send depends on the number of a port, or on what arrives before a connection is cut.
  test('what rules of the relay send', async () => {
    const lines = traffic().split('\n');
    const uncut = /^relay\/(trickle|pieces|delay):/;
    await expect(lines.filter((line) => uncut.test(line)).join('\n')).toMatchFileSnapshot(
      '../traffic/relay.txt',
    );
  });
});

describe('a stream of bytes with a deadline for the first message', async () => {
  await verifyApplicableRules({
    test: (name, run) => name.startsWith('start/first-message') && test(name, run),
    serve: async (handler) => streamFixture(handler, undefined, 200),
    options: generousTimeouts,
  });
});

if (exhaustive) {
  describe('a broker', async () => {
    await holds(async (handler) => brokerFixture(handler));
  });

  describe('a MessagePort', async () => {
    await holds(async (handler) => portFixture(handler));
  });

  // About 200 processes: the tests of stdio verify child processes too.
  describe('a child process', async () => {
    const path = await bundled(new URL('child-main.ts', import.meta.url));
    await holds(async (_handler, watch) => childFixture(path, watch), { outOfProcess: true });
  });
}
