import type { TransportError } from '@rxmcp/transport';
import { expect, test } from 'vitest';
import type { ServeFixture } from '../src/index.js';
import { pause } from '../src/base/clock.js';
import { pipeRig } from './pipe.js';
import { run } from './run-rules.js';

/* A slow transport is a conforming one. */

test('sends may wait for the end of their connection, and reject with it', async () => {
  const serve: ServeFixture = async (acceptor) => {
    const waiting = new Set<(cause: TransportError) => void>();
    return pipeRig(acceptor, (parts) => ({
      async send(end, ...sent) {
        await parts.send(end, ...sent);
        if (end.served) return;
        await new Promise<void>((resolve, reject) => {
          waiting.add(reject);
          setTimeout(resolve, 40);
        });
      },
      settle(end, error) {
        parts.settle(end, error);
        for (const reject of waiting) reject(error);
      },
    }));
  };
  const only = /^(close\/(by-peer|send-after-peer|delivers-pushed)|cut\/.*at-every)/;
  const { broken, reports } = await run(serve, { only });
  expect(broken).toEqual([]);
  expect(reports).toEqual([]);
});

test('messages that keep coming are waited for, however long they take in all', async () => {
  const serve: ServeFixture = async (acceptor) =>
    pipeRig(acceptor, (parts) => ({
      async send(end, ...sent) {
        await parts.send(end, ...sent);
        if (end.served) await pause(5);
      },
    }));
  const { broken } = await run(serve, {
    options: { stepTimeoutMs: 250 },
    only: /^order\/(pushed|result-last)/,
  });
  expect(broken).toEqual([]);
});
