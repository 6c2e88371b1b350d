import { accepted } from '@rxmcp/transport';
import { pause } from '../../src/stage/clock.js';
import type { Mutant } from './mutant.js';

/** Mutants of the groups envelope, limits, pressure and garbage. */
export const carrying: readonly Mutant[] = [
  {
    name: 'sends though the signal has fired',
    law: 'envelope/aborted-signal',
    because: 'the aborted send did not reject',
    change: (parts) => ({ send: (end, out) => parts.send(end, out, undefined) }),
  },
  {
    name: 'keeps refused answers to itself',
    law: 'envelope/refusals',
    because: 'the refusal "malformed"',
    change: (parts) => ({
      send: (end, out, envelope) =>
        envelope?.refusal === undefined ? parts.send(end, out, envelope) : accepted,
    }),
  },
  {
    name: 'carries only what the specification names',
    law: 'envelope/unknown-members',
    because: 'the message',
    change: (parts) => ({ text: (out) => parts.text(out).replace(/,"extension":\{[^}]*\}/, '') }),
  },
  {
    name: 'counts characters',
    law: 'limits/bytes-not-characters',
    because: 'the large send did not reject',
    change: () => ({ bytes: (text) => text.length }),
  },
  {
    name: 'closes on a large message',
    law: 'limits/too-large',
    because: 'calls of closed()',
    change: (parts) => ({
      send(end, out, envelope) {
        const sent = parts.send(end, out, envelope);
        if (parts.bytes(parts.text(out)) > end.traits.maxMessageBytes) parts.over(end);
        return sent;
      },
    }),
  },
  {
    name: 'accepts without a limit',
    law: 'pressure/unread-waits',
    because: 'were accepted while nobody read them',
    change: () => ({ room: () => accepted }),
  },
  {
    name: 'accepts late, and without a limit',
    law: 'pressure/unread-waits',
    because: 'were accepted while nobody read them',
    change: () => ({ room: () => pause(60) }),
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
    also: ['close/delivers-sent'],
    change: () => ({ settle: (end) => end.waiting.clear() }),
  },
  {
    name: 'closes on a bad frame',
    law: 'garbage/not-json',
    because: 'faults and ends',
    change: (parts) => ({
      deliver(end, text) {
        if (!text.endsWith('}')) parts.over(end);
        parts.deliver(end, text);
      },
    }),
  },
  {
    name: 'keeps bad frames to itself',
    law: 'garbage/not-json',
    because: 'a fault',
    change: (parts) => ({
      deliver(end, text) {
        if (text !== '{' && !text.endsWith(',')) parts.deliver(end, text);
      },
    }),
  },
  {
    name: 'parses without a guard',
    law: 'garbage/too-deep',
    because: 'a fault',
    change: (parts) => ({
      deliver(end, text) {
        if (text.includes('[[[[')) end.receiver?.received(JSON.parse(text));
        else parts.deliver(end, text);
      },
    }),
  },
  {
    name: 'takes batches apart',
    law: 'garbage/batch',
    because: 'the first delivery',
    change: (parts) => ({
      deliver(end, text) {
        const batch: unknown = text.startsWith('[') ? JSON.parse(text) : undefined;
        if (!Array.isArray(batch)) parts.deliver(end, text);
        else for (const message of batch) end.receiver?.received(message);
      },
    }),
  },
];
