import { type DialOptions, TransportError } from '@rxmcp/transport';
import { pause } from '../../src/base/clock.js';
import type { PipeEnd } from '../pipe.js';
import { leaked, type Mutant } from './mutant.js';

const isAborted = (options: DialOptions | undefined): boolean => options?.signal?.aborted === true;

/** Mutants of the groups cut and leak. */
export const ending: readonly Mutant[] = [
  {
    name: 'calls closed again at the next dial',
    law: 'cut/close-at-every-message',
    because: 'calls of closed() on the dialling side: expected 1, saw 2',
    everywhere: true,
    change(parts) {
      let last: PipeEnd | undefined;
      return {
        async dial(connect, options) {
          if (last?.over === true) last.receiver?.closed();
          return (last = await parts.dial(connect, options));
        },
      };
    },
  },
  {
    name: 'delivers a message to what has closed at the next dial',
    law: 'cut/close-at-every-message',
    because: 'calls after closed() on the dialling side: expected [], saw ["received"]',
    everywhere: true,
    change(parts) {
      let last: PipeEnd | undefined;
      return {
        async dial(connect, options) {
          if (last?.over === true) last.receiver?.received({});
          return (last = await parts.dial(connect, options));
        },
      };
    },
  },
  {
    name: 'delivers after closed',
    law: 'cut/close-at-every-message',
    because: 'calls after closed()',
    everywhere: true,
    change: (parts) => ({
      over(end, error) {
        const rest = [...end.inbox];
        parts.over(end, error);
        for (const text of rest) parts.deliver(end, text);
      },
    }),
  },
  {
    name: 'does not tell the dialling side of a close after three messages',
    law: 'cut/peer-closes-at-every-message',
    because: 'closed() on the dialling side',
    alone: true,
    change(parts) {
      const sent = new Map<PipeEnd, number>();
      return {
        send: (end, ...rest) => (sent.set(end, (sent.get(end) ?? 0) + 1), parts.send(end, ...rest)),
        close: async (end) => (end.served && sent.get(end) === 3 ? parts.over(end) : parts.close(end)),
      };
    },
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
    because: 'a cut was reported as in order',
    change: (parts) => ({
      cut(end) {
        parts.over(end);
        parts.over(end.peer);
      },
    }),
  },
  {
    name: 'takes a cut for a close by the other side',
    law: 'cut/loss-at-every-message',
    because: 'a cut was reported as PEER_CLOSED',
    change: (parts) => ({
      cut(end) {
        for (const side of [end, end.peer])
          parts.over(side, new TransportError('PEER_CLOSED', 'The pipe was cut.'));
      },
    }),
  },
  {
    name: 'does not tell the served side that a dialling one left unstarted',
    law: 'leak/served-ends',
    because: 'closed() on the served side',
    alone: true,
    change: (parts) => ({
      close: async (end) => (end.receiver === undefined && !end.served ? parts.over(end) : parts.close(end)),
    }),
  },
  {
    name: 'leaves the served side of a dial that was aborted',
    law: 'leak/served-ends',
    because: 'closed() on the served side',
    alone: true,
    change: (parts) => ({
      async dial(connect, options) {
        const end = connect();
        return parts.dial(() => end, options);
      },
    }),
  },
  {
    name: 'leaves a timer where a dial is aborted on its way',
    law: 'leak/aborted-dials',
    because: 'there are more handles than before',
    alone: true,
    change: (parts) => ({
      async dial(connect, options) {
        await Promise.resolve();
        if (isAborted(options)) return parts.dial(connect, options);
        const timer = setInterval(() => undefined, 60_000);
        leaked.push(timer);
        await pause(4);
        if (!isAborted(options)) clearInterval(timer);
        return parts.dial(connect, options);
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
    name: 'leaves a timer of 300 ms per connection',
    law: 'leak/handles',
    because: 'timers, those counted that keep no process alive',
    change: (parts) => ({
      start(end, receiver) {
        setTimeout(() => undefined, 300);
        parts.start(end, receiver);
      },
    }),
  },
  {
    name: 'leaves a timer for a dial that is refused',
    law: 'leak/refused-dials',
    because: 'there are more handles than before',
    alone: true,
    change: (parts) => ({
      refuse() {
        leaked.push(setInterval(() => undefined, 60_000));
        parts.refuse();
      },
    }),
  },
  {
    name: 'leaves a timer when it stops serving',
    law: 'leak/server',
    because: 'handles that were not there before it was served',
    // `leak/refused-dials` breaks with it: it stops serving too.
    change: (parts) => ({
      stop(ends) {
        leaked.push(setInterval(() => undefined, 60_000));
        return parts.stop(ends);
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
    name: 'continues to accept after the stop',
    law: 'leak/stopped-dial',
    because: 'connections that were accepted after the stop',
    alone: true,
    change: () => ({ refuse: () => undefined }),
  },
];
