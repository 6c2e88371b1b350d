import { verifyApplicableRules } from '@rxmcp/transport-tck';
import { describe, test } from 'vitest';
import { observables } from '../src/observable.js';

describe('an Observable and a function', async () => {
  await verifyApplicableRules({
    test,
    async serve(handler) {
      const served = observables(handler);
      return { transport: served.transport, pausesReading: true, close: () => served.close() };
    },
  });
});
