import { describe, test } from 'vitest';
import { verifyApplicableRules } from '../../src/index.js';
import { streamFixture } from './stream.js';

/* The unbroken wires of the mutants hold every rule. */

describe('a stream of bytes', async () => {
  await verifyApplicableRules({ test, serve: async (handler) => streamFixture(handler) });
});
