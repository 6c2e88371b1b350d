import { verifyApplicableRules } from '@rxmcp/transport-tck';
import { describe, test } from 'vitest';
import { memory } from '../src/index.js';
import { generousTimeouts } from '../../../../vitest.kit.js';

describe('memory', async () => {
  await verifyApplicableRules({
    test,
    options: generousTimeouts,
    async serve(acceptor) {
      const link = memory();
      const handle = link.serve(acceptor);
      return { transport: link, close: () => handle.close() };
    },
  });
});

describe('memory with a size limit', async () => {
  await verifyApplicableRules({
    test,
    options: generousTimeouts,
    async serve(acceptor) {
      const link = memory({ maxMessageBytes: 1024 * 1024, principal: 'ada' });
      const handle = link.serve(acceptor);
      return { transport: link, close: () => handle.close() };
    },
  });
});
