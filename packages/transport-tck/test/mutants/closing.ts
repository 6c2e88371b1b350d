import { acceptedImmediately, TransportError } from '@rxmcp/transport';
import type { PipeEnd } from '../pipe.js';
import { leaked, type Mutant } from './mutant.js';

/** Mutants of the group close. */
export const closing: readonly Mutant[] = [
  {
    name: 'calls closed twice',
    law: 'close/idempotent',
    because: 'calls of closed()',
    everywhere: true,
    change: (parts) => ({
      async close(end) {
        await parts.close(end);
        end.receiver?.closed();
      },
    }),
  },
  {
    name: 'calls its own close an error',
    law: 'close/in-order',
    because: 'ends by the time that close() resolved: expected ["in order"], saw ["CONNECTION_LOST"]',
    change: (parts) => ({
      over: (end, error) => parts.over(end, error ?? new TransportError('CONNECTION_LOST', 'It ended.')),
    }),
  },
  {
    name: 'ends in order with an error of its own',
    law: 'close/in-order',
    because: 'ends by the time that close() resolved: expected ["in order"], saw ["no TransportError"]',
    change: (parts) => ({
      start: (end, receiver) =>
        parts.start(end, {
          received: (...arrived) => receiver.received(...arrived),
          laneClosed: (...ended) => receiver.laneClosed(...ended),
          fault: (error) => receiver.fault(error),
          closed: (error) => receiver.closed(error ?? (new Error('It ended.') as TransportError)),
        }),
    }),
  },
  {
    name: 'resolves its close before it has closed',
    law: 'close/in-order',
    because: 'ends by the time that close() resolved: expected ["in order"], saw []',
    alone: true,
    change: (parts) => ({ close: async (end) => void setTimeout(() => parts.close(end), 10).unref() }),
  },
  {
    name: 'calls a close by the dialling side a loss',
    law: 'close/notifies-peer',
    because: 'an orderly end was reported as CONNECTION_LOST: closed() on the served side',
    change: (parts) => ({
      over(end, error) {
        const left = end.served && end.finished;
        parts.over(end, left ? new TransportError('CONNECTION_LOST', 'It ended.') : error);
      },
    }),
  },
  {
    name: 'calls a close by the served side a loss',
    law: 'close/by-peer',
    because: 'an orderly end was reported as CONNECTION_LOST: closed() on the dialling side',
    change: (parts) => ({
      over(end, error) {
        const left = !end.served && end.finished;
        parts.over(end, left ? new TransportError('CONNECTION_LOST', 'It ended.') : error);
      },
    }),
  },
  {
    name: 'calls closed inside the send that the other side answers with a close',
    law: 'close/by-peer',
    because: 'deliveries inside a call: expected [], saw ["closed inside send"]',
    // They are answered with one too.
    also: ['cut/peer-closes-at-every-message'],
    change: (parts) => ({
      send(end, out, envelope) {
        const sent = parts.send(end, out, envelope);
        if (parts.text(out).includes('tck/close')) parts.over(end);
        return sent;
      },
    }),
  },
  {
    name: 'never closes where both sides do',
    law: 'close/both',
    because: 'close() to resolve',
    alone: true,
    change: (parts) => ({
      close(end) {
        const both = end.receiver !== undefined && !end.over && end.peer.closing !== undefined;
        return both ? new Promise(() => undefined) : parts.close(end);
      },
    }),
  },
  {
    name: 'never settles a send that is answered with a close',
    law: 'close/by-peer',
    because: 'every send to settle once its connection is closed',
    // They are answered with one too.
    also: ['cut/peer-closes-at-every-message'],
    change: (parts) => ({
      send(end, out, envelope) {
        const sent = parts.send(end, out, envelope);
        return parts.text(out).includes('tck/close') ? new Promise(() => undefined) : sent;
      },
    }),
  },
  {
    name: 'never closes what was not started',
    law: 'close/before-start',
    because: 'close() to resolve',
    // It closes without having started as well, or it is the served side that never starts, so that serving does not end.
    also: ['leak/aborted-dials', 'leak/served-ends', 'leak/unstarted', 'pressure/peer-close-settles'],
    change: (parts) => ({
      close: (end) => (end.receiver === undefined ? new Promise(() => undefined) : parts.close(end)),
    }),
  },
  {
    name: 'swallows a send after close',
    law: 'close/send-after',
    because: 'send() after close() did not reject',
    change: (parts) => ({
      send: (end, out, envelope) => (end.over ? acceptedImmediately : parts.send(end, out, envelope)),
    }),
  },
  {
    name: 'lets a send wait for ever while it closes',
    law: 'close/send-after',
    because: 'send() after close() to settle',
    alone: true,
    change(parts) {
      const closing = new Set<PipeEnd>();
      return {
        close: (end) => (closing.add(end), parts.close(end).finally(() => closing.delete(end))),
        send: (end, out, envelope) =>
          closing.has(end) ? new Promise(() => undefined) : parts.send(end, out, envelope),
      };
    },
  },
  {
    name: 'drops what is on its way when it closes',
    law: 'close/delivers-sent',
    because: 'messages that were accepted before close() never arrived',
    // More is on its way there.
    also: ['pressure/close-delivers'],
    change: (parts) => ({
      close(end) {
        end.peer.inbox = [];
        return parts.close(end);
      },
    }),
  },
  {
    name: 'drops what its served side has sent in the turn of its close',
    law: 'close/pushed-same-turn',
    because: 'messages never arrived of the',
    everywhere: true,
    change: (parts) => ({
      close(end) {
        if (end.served) end.peer.inbox = end.peer.inbox.filter((text) => !text.includes('"count"'));
        return parts.close(end);
      },
    }),
  },
  {
    name: 'calls a second of silence a loss',
    law: 'start/stays-open',
    because: 'ends on the',
    everywhere: true,
    change(parts) {
      let timer: ReturnType<typeof setTimeout> | undefined;
      return {
        deliver(end, text) {
          clearTimeout(timer);
          leaked.push((timer = setTimeout(() => parts.cut(end), 1_000)));
          parts.deliver(end, text);
        },
      };
    },
  },
  {
    name: 'sends at most a buffer more when it closes',
    law: 'close/delivers-sent',
    because: 'messages that were accepted before close() never arrived',
    // More is on its way there.
    also: ['pressure/close-delivers'],
    change: (parts) => ({
      close(end) {
        end.peer.inbox = end.peer.inbox.slice(0, 32);
        return parts.close(end);
      },
    }),
  },
];
