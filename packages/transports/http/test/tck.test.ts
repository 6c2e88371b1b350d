import { verifyApplicableRules } from '@rxmcp/transport-tck';
import { describe, test } from 'vitest';
import { endpoint, inChaos, overFetch, overSockets, type ServeRaw, session } from './tck-fixtures.js';
import { exhaustive } from '../../../../vitest.exhaustive.js';
import { generousTimeouts } from '../../../../vitest.kit.js';

// An exhaustive run does not repeat what `npm test` has.
const ways: Record<string, ServeRaw> = {
  ...(!exhaustive && { sockets: overSockets }),
  fetch: overFetch,
  ...(exhaustive && { 'sockets in bad weather': inChaos(overSockets) }),
};

describe.each(Object.entries(ways))('over %s', (way, served) => {
  const isRepeated = way === 'fetch' && exhaustive;
  if (!isRepeated)
    describe('requests that stand for themselves', async () => {
      await verifyApplicableRules({
        test,
        serve: async (acceptor) => endpoint(await served(acceptor)),
        options: generousTimeouts,
      });
    });

  // Between Request and Response, sessions are what they are over sockets.
  if (way === 'fetch' && !exhaustive) return;
  describe('sessions', async () => {
    await verifyApplicableRules({
      test,
      serve: async (acceptor) => session(await served(acceptor)),
      options: generousTimeouts,
    });
  });
});
