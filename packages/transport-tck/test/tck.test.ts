import { describe, test } from 'vitest';
import { type AcceptsAt, verifyTransport } from '../src/index.js';
import { callsRig } from './calls/calls.js';
import { pipeRig } from './pipe.js';

describe('a pipe keeps every rule', () => {
  verifyTransport({ test, serve: async (acceptor) => pipeRig(acceptor) });
});

describe.each<AcceptsAt>(['dial', 'session', 'endpoint'])('calls that are accepted at: %s', (accepts) => {
  verifyTransport({ test, serve: async (acceptor) => callsRig(acceptor, accepts) });
});
