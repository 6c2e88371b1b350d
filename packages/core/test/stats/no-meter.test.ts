import { firstValueFrom } from 'rxjs';
import { expect, it } from 'vitest';
import { rawClient } from '../rig/raw-client.js';

it('the figures of a server are all zero without a meter and calls', async () => {
  const { server } = rawClient([]);
  expect(await firstValueFrom(server.stats$)).toMatchObject({
    enabled: false,
    methods: [],
    inFlight: 0,
    queued: 0,
    dropped: { requests: 0, progress: 0, logs: 0, notifications: 0 },
    longestRunningMs: 0,
    eventLoopDelayMs: 0,
  });
});
