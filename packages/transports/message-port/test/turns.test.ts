import { processMemory } from '@rxmcp/transport';
import { connectionHandler, recording } from '@rxmcp/transport-tck/recording';
import { expect, onTestFinished, test, vi } from 'vitest';
import { serveMessagePort } from '../src/index.js';

/** Serves a port whose messages take 5 ms of a clock that is virtual. Returns the other end. */
function served(principal: string, happened: (what: string) => void): MessagePort {
  const { port1, port2 } = new MessageChannel();
  const receiver = {
    ...recording(),
    received(message: unknown) {
      vi.advanceTimersByTime(5);
      happened((message as { method: string }).method);
    },
    closed: () => happened(`end of ${principal}`),
  };
  const handle = serveMessagePort(
    connectionHandler(() => receiver),
    port1,
    { principal },
  );
  onTestFinished(async () => {
    await handle.close();
    port2.close();
  });
  return port2;
}

test('the messages of a port are delivered in turns with those of others, in order, before its end, and charged while they wait', async () => {
  vi.useFakeTimers({ toFake: ['performance'] });
  onTestFinished(() => void vi.useRealTimers());
  const memory = processMemory();
  const seen: string[] = [];
  let waiting: unknown;
  const ada = served('ada', (what) => seen.push(what));
  const bob = served('bob', (what) => {
    waiting ??= memory.stats().largest[0];
    seen.push(what);
  });
  const methods = Array.from({ length: 60 }, (_, at) => `ada ${String(at)}`);
  for (const method of methods)
    ada.postMessage({ jsonrpc: '2.0', method, params: { pad: 'x'.repeat(16 * 1024) } });
  ada.postMessage({ rxmcp: 'bye' });
  bob.postMessage({ jsonrpc: '2.0', method: 'bob' });
  while (!seen.includes('end of ada')) await new Promise((resolve) => setImmediate(resolve));
  expect(seen.filter((what) => what !== 'bob')).toEqual([...methods, 'end of ada']);
  expect(seen.indexOf('bob')).toBeLessThan(10);
  expect(waiting).toMatchObject({ holder: 'principal ada' });
  expect((waiting as { heldBytes: number }).heldBytes).toBeGreaterThan(50 * 32 * 1024);
  expect(memory.heldBytes).toBe(0);
});
