import { describe, test } from 'vitest';
import { type AcceptsAt, verifyApplicableRules } from '../src/index.js';
import { callsRig } from './calls/calls.js';
import { pipeRig } from './pipe.js';

describe('a pipe keeps every rule', async () => {
  await verifyApplicableRules({ test, serve: async (acceptor) => pipeRig(acceptor) });
});

describe.each<AcceptsAt>(['dial', 'session', 'endpoint'])(
  'calls that are accepted at: %s',
  async (accepts) => {
    await verifyApplicableRules({ test, serve: async (acceptor) => callsRig(acceptor, accepts) });
  },
);
