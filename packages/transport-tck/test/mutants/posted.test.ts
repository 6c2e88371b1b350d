import { describe } from 'vitest';
import { brokerFixture } from '../wires/broker.js';
import { bundled } from '../../../../vitest.bundle.js';
import { childFixture } from '../wires/child.js';
import { portFixture } from '../wires/port.js';
import { expectBroken } from './expect-broken.js';
import { brokered, forked, ported } from './posted.js';

describe('a broker', () => {
  expectBroken(brokered, (mutant) => async (handler) => brokerFixture(handler, mutant.change));
});

describe('a MessagePort', () => {
  expectBroken(ported, (mutant) => async (handler) => portFixture(handler, mutant.change));
});

// Processes start slowly on a busy machine.
describe('a child process', async () => {
  const path = await bundled(new URL('../wires/child-main.ts', import.meta.url));
  expectBroken(forked, (mutant) => async (_handler, watch) => childFixture(path, watch, mutant.change), {
    outOfProcess: true,
    stepTimeoutMs: 3_000,
    closeTimeoutMs: 3_000,
    ruleTimeoutMs: 30_000,
  });
});
