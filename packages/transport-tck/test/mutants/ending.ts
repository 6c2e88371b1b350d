import { accepted, TransportError } from '@rxmcp/transport';
import { leaked, type Mutant } from './mutant.js';

/** Mutants of the groups close, cut and leak. */
export const ending: readonly Mutant[] = [
  {
    name: 'tells closed twice',
    law: 'close/idempotent',
    because: 'calls of closed()',
    // Every side that closes is told twice, and these laws count as well.
    also: [
      'cut/close-at-every-message',
      'cut/peer-closes-at-every-message',
      'cut/sends-settle',
      'leak/stop-serving',
    ],
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
    because: 'the code of the cause',
    change: (parts) => ({
      over: (end, error) => parts.over(end, error ?? new TransportError('CONNECTION_LOST', 'It ended.')),
    }),
  },
  {
    name: 'never closes what was not started',
    law: 'close/before-start',
    because: 'close() to resolve',
    // It closes without having started as well.
    // In the last one it is the served side that never starts, so that stopping to serve does not end.
    also: ['leak/unstarted', 'pressure/close-settles'],
    change: (parts) => ({
      close: (end) => (end.receiver === undefined ? new Promise(() => undefined) : parts.close(end)),
    }),
  },
  {
    name: 'swallows a send after close',
    law: 'close/send-after',
    because: 'send() after close() did not reject',
    change: (parts) => ({
      send: (end, out, envelope) => (end.over ? accepted : parts.send(end, out, envelope)),
    }),
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
  {
    name: 'delivers after closed',
    law: 'cut/close-at-every-message',
    because: 'calls after closed()',
    change: (parts) => ({
      over(end, error) {
        const rest = [...end.inbox];
        parts.over(end, error);
        for (const text of rest) parts.deliver(end, text);
      },
    }),
  },
  {
    name: 'does not tell the served side of a cut',
    law: 'cut/loss-at-every-message',
    because: 'closed()',
    change: (parts) => ({
      cut: (end) => parts.over(end, new TransportError('CONNECTION_LOST', 'The pipe was cut.')),
    }),
  },
  {
    name: 'takes a cut for an orderly end',
    law: 'cut/loss-at-every-message',
    because: 'the cause is missing',
    change: (parts) => ({
      cut(end) {
        parts.over(end);
        parts.over(end.peer);
      },
    }),
  },
  {
    name: 'leaves a timer per connection',
    law: 'leak/handles',
    because: 'there are more handles than before',
    change: (parts) => ({
      start(end, receiver) {
        leaked.push(setInterval(() => undefined, 60_000));
        parts.start(end, receiver);
      },
    }),
  },
  {
    name: 'leaves a timer per connection that keeps no process alive',
    law: 'leak/handles',
    because: 'timers, those counted that keep no process alive',
    change: (parts) => ({
      start(end, receiver) {
        leaked.push(setInterval(() => undefined, 60_000).unref());
        parts.start(end, receiver);
      },
    }),
  },
  {
    name: 'stops serving without closing',
    law: 'leak/stop-serving',
    because: 'closed()',
    change: () => ({ stop: () => Promise.resolve() }),
  },
  {
    name: 'goes on accepting after the stop',
    law: 'leak/stopped-dial',
    because: 'connections that were accepted after the stop',
    alone: true,
    change: () => ({ refuse: () => undefined }),
  },
];
