import { acceptedImmediately, TransportError } from '@rxmcp/transport';
import { pause, turns } from '../../src/base/clock.js';
import type { PipeEnd } from '../pipe.js';
import type { Mutant } from './mutant.js';

/** Mutants of the group pressure. */
export const pressing: readonly Mutant[] = [
  {
    name: 'accepts without a limit',
    law: 'pressure/unread-waits',
    because: 'were accepted although the other side did not read',
    change: () => ({ room: () => acceptedImmediately }),
  },
  {
    name: 'accepts late, and without a limit',
    law: 'pressure/unread-waits',
    because: 'were accepted although the other side did not read',
    change: () => ({ room: () => pause(60) }),
  },
  {
    name: 'accepts without a limit on the served side',
    law: 'pressure/unread-dialled',
    because: 'were accepted although the other side did not read',
    alone: true,
    change: (parts) => ({ room: (end) => (end.served ? parts.room(end) : acceptedImmediately) }),
  },
  {
    name: 'drops what does not fit',
    law: 'pressure/burst',
    because: 'messages that were accepted',
    change: (parts) => ({
      enqueue(end, text) {
        if (end.inbox.length < 1_000) parts.enqueue(end, text);
      },
    }),
  },
  {
    name: 'forgets sends that wait',
    law: 'pressure/close-settles',
    because: 'a send that waited to settle',
    // More is sent there than fits at once.
    also: ['close/both-ways', 'close/delivers-sent'],
    change: () => ({ settle: (end) => end.waiting.clear() }),
  },
  {
    name: 'forgets sends that wait when the other side closes',
    law: 'pressure/peer-close-settles',
    because: 'a send that waited to settle',
    // The other side sends there while this one closes.
    also: ['close/both-ways'],
    change: (parts) => ({
      close(end) {
        end.waiting.clear();
        return parts.close(end);
      },
    }),
  },
  {
    name: 'does not notify a side whose sends wait of the end',
    law: 'pressure/peer-close-settles',
    because: 'closed() on the dialling side',
    everywhere: true,
    change(parts) {
      const silent = new Set<PipeEnd>();
      return {
        settle: (end, error) => (end.waiting.size > 0 && silent.add(end.peer), parts.settle(end, error)),
        over: (end, error) => (silent.has(end) ? undefined : parts.over(end, error)),
      };
    },
  },
  {
    name: 'drops what waits when it closes and the other side reads no further, and says that it was not sent',
    law: 'pressure/close-settles',
    because: 'messages arrived whose sends rejected as not sent',
    alone: true,
    change: (parts) => ({
      close: (end) => untilUnread(end).then(() => parts.close(end)),
      settle: (end, { message }) =>
        parts.settle(end, new TransportError('CLOSED', message, { outcome: 'not-sent' })),
    }),
  },
  {
    name: 'says that what waits when it closes was not sent',
    law: 'pressure/close-delivers',
    because: 'messages arrived whose sends rejected as not sent',
    // More is sent there than fits at once.
    also: ['close/delivers-sent'],
    change: (parts) => ({
      settle: (end, { message }) =>
        parts.settle(end, new TransportError('CLOSED', message, { outcome: 'not-sent' })),
    }),
  },
];

/** Resolves once the other side reads no further: as long as it reads, each turn of the event loop empties its inbox a little more. */
async function untilUnread({ peer: { inbox } }: PipeEnd): Promise<void> {
  for (let before = Infinity; inbox.length < before;) {
    before = inbox.length;
    await turns(5);
  }
}
