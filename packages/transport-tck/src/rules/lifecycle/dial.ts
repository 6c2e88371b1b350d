import { equal, rejectionOf } from '../../base/assert.js';
import { quiet } from '../../base/clock.js';
import type { ConnectionProbe } from '../../harness/connection-probe.js';
import { expectEcho, requestResult } from '../../harness/echo.js';
import { expectTransportError } from '../../harness/expectations.js';
import type { Harness } from '../../harness/harness.js';
import type { Rule } from '../rule.js';
import { requiresRedial } from '../skip-conditions.js';

/** Rules about dials that overlap, fail or are aborted. */
export const dial: readonly Rule[] = [
  {
    id: 'dial/abort-after',
    description: 'Aborting the signal of a dial that has connected does not affect its connection.',
    async verify(harness: Harness): Promise<void> {
      const controller = new AbortController();
      const client = await harness.dial({ signal: controller.signal });
      await works(harness, client, () => controller.abort());
    },
  },
  {
    id: 'dial/abort-one',
    description: 'Aborting one of two dials that run at once does not affect the other.',
    skipIf: requiresRedial,
    async verify(harness: Harness): Promise<void> {
      const controller = new AbortController();
      const aborted = rejectionOf(harness.dial({ signal: controller.signal }));
      const other = harness.dial();
      controller.abort();
      await aborted;
      await works(harness, await other);
    },
  },
  {
    id: 'dial/two-at-once',
    description: 'Two dials that run at once give two connections, each with its own responses.',
    skipIf: requiresRedial,
    async verify(harness: Harness): Promise<void> {
      const [one, two] = await Promise.all([harness.open(), harness.open()]);
      const echoes = await Promise.all(
        [one, two].map((client, owner) => requestResult(harness, client, 'tck/echo', { owner })),
      );
      equal(echoes, [{ echo: { owner: 0 } }, { echo: { owner: 1 } }], 'the echoes');
      await harness.close(one);
      await expectEcho(harness, two);
    },
  },
  {
    id: 'dial/again-after-abort',
    description: 'A dial after an aborted one connects.',
    skipIf: requiresRedial,
    async verify(harness: Harness): Promise<void> {
      for (let round = 0; round < 3; round += 1) {
        const failing = harness.fixture.transport.dial({ signal: AbortSignal.abort() });
        await expectTransportError(harness, failing, 'dial() with an aborted signal');
      }
      await expectEcho(harness, await harness.open());
    },
  },
  {
    id: 'dial/signal-released',
    description: 'A dial leaves no listener on its signal once its connection has closed.',
    async verify(harness: Harness): Promise<void> {
      const { signal, listeners } = countingSignal();
      const client = await harness.dial({ signal });
      await works(harness, client);
      await harness.close(client);
      await harness.holds(() => listeners.size === 0);
      equal(listeners.size, 0, 'listeners on the signal of the dial');
    },
  },
];

/** A signal with the listeners that were added and not removed. */
function countingSignal(): { readonly signal: AbortSignal; readonly listeners: ReadonlySet<unknown> } {
  const { signal } = new AbortController();
  const listeners = new Set<unknown>();
  const add = signal.addEventListener.bind(signal) as AbortSignal['addEventListener'];
  const remove = signal.removeEventListener.bind(signal) as AbortSignal['removeEventListener'];
  signal.addEventListener = (...args: Parameters<typeof add>) => {
    listeners.add(args[1]);
    add(...args);
  };
  signal.removeEventListener = (...args: Parameters<typeof remove>) => {
    listeners.delete(args[1]);
    remove(...args);
  };
  return { signal, listeners };
}

/** Fails unless a dialled connection answers, also after `act`, and stays open. */
async function works(harness: Harness, client: ConnectionProbe, act?: () => void): Promise<void> {
  await harness.begin(client);
  await expectEcho(harness, client);
  act?.();
  await quiet();
  await expectEcho(harness, client);
  equal(client.closes.length, 0, 'calls of closed()');
}
