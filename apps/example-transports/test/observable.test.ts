import { verifyApplicableRules } from '@rxmcp/transport-tck';
import { describe, test } from 'vitest';
import { observables } from '../src/observable.js';
import { channelHooks } from './channel-hooks.js';

describe('an Observable and a function', async () => {
  const hooks = channelHooks();
  await verifyApplicableRules({
    test,
    options: { stepTimeoutMs: 60_000, closeTimeoutMs: 60_000, ruleTimeoutMs: 150_000 },
    async serve(handler) {
      const served = observables(handler);
      return { transport: served.transport, pausesReading: true, ...hooks, close: () => served.close() };
    },
  });
});
