import { describe, test } from 'vitest';
import { verifyTransport } from '../src/index.js';
import { lanedRig } from './laned-pipe.js';
import { pipeRig } from './pipe.js';

describe('a pipe keeps every law', () => {
  verifyTransport({ test, serve: async (acceptor) => pipeRig(acceptor) });
});

describe('a pipe of lanes keeps every law', () => {
  verifyTransport({ test, serve: async (acceptor) => lanedRig(acceptor) });
});
