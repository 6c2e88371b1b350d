import { describe, expect, test } from 'vitest';
import type { AcceptsAt } from '../src/index.js';
import { callsRig } from './calls/calls.js';
import { pipeRig } from './pipe.js';
import { ruleTraffic } from './rule-traffic.js';

describe('a pipe keeps every rule', async () => {
  const traffic = await ruleTraffic(test, (acceptor) => pipeRig(acceptor));

  test('what each rule sends', async () => {
    await expect(traffic()).toMatchFileSnapshot('traffic/pipe.txt');
  });
});

describe.each<AcceptsAt>(['dial', 'session', 'endpoint'])(
  'calls that are accepted at: %s',
  async (accepts) => {
    const traffic = await ruleTraffic(test, (acceptor) => callsRig(acceptor, accepts));

    test('what each rule sends', async () => {
      await expect(traffic()).toMatchFileSnapshot(`traffic/${accepts}.txt`);
    });
  },
);
