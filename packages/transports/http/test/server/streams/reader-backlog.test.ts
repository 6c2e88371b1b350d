import { MemoryBudget } from '@rxmcp/transport';
import type { HttpExchange } from '@rxmcp/transport/internal';
import { expect, it, vi } from 'vitest';
import { type BacklogHost, ReaderBacklog } from '../../../src/server/streams/reader-backlog.js';

/** The backlog of a reader of ada that leaves so many bytes unread. */
function lagging(memory: MemoryBudget) {
  const bounds = { maxMessageBytes: 1, writeTimeoutMs: 1 } as BacklogHost['shared']['bounds'];
  const fault = vi.fn();
  const cut = vi.fn();
  const exchange = { queuedBytes: 0, holder: 'ada', unread: undefined, cut, stallsAfter: () => undefined };
  const backlog = new ReaderBacklog({ shared: { bounds, memory }, connection: { fault } });
  return { backlog, exchange: exchange as unknown as HttpExchange & { queuedBytes: number }, fault, cut };
}

it('a reader that is refused makes room at once for others of its holder, and its senders wait for its end', async () => {
  const memory = new MemoryBudget({ maxBytes: 1024 * 1024 });
  const [one, other] = [lagging(memory), lagging(memory)];
  for (const bytes of [16 * 16_384, 17 * 16_384]) {
    for (const { backlog, exchange } of [one, other]) {
      exchange.queuedBytes = bytes;
      backlog.charge(exchange, 0);
    }
  }
  expect([one, other].map(({ cut }) => cut.mock.calls.length)).toEqual([1, 0]);
  expect(one.fault).toHaveBeenCalledWith(expect.objectContaining({ code: 'OVERFLOW' }));
  const ended = vi.fn();
  const sent = one.backlog.add(one.exchange).then(ended);
  await Promise.resolve();
  expect(ended).not.toHaveBeenCalled();
  one.backlog.relieve(undefined);
  await sent;
});
