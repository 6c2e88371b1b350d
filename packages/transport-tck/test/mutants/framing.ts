import { TransportError } from '@rxmcp/transport';
import type { PipeEnd } from '../pipe.js';
import { leaked, type Mutant } from './mutant.js';

const failed = (code: 'DIAL_FAILED' | 'CONNECTION_LOST'): TransportError =>
  new TransportError(code, 'It failed.', { outcome: 'not-sent' });
const headers = { version: '2026-07-28', method: 'tck/arrival' };

/** Mutants of single frames, of limits, and of connections that are opened and closed. */
export const framing: readonly Mutant[] = [
  {
    name: 'drops a bad frame on the dialling side',
    law: 'garbage/to-dialled',
    because: 'one fault',
    everywhere: true,
    change: (parts) => ({
      deliver: (end, text) => (end.served || text.endsWith('}') ? parts.deliver(end, text) : undefined),
    }),
  },
  {
    name: 'delivers a frame with two ids',
    law: 'garbage/duplicate-member',
    because: 'a fault',
    everywhere: true,
    change: (parts) => ({
      deliver: (end, text) =>
        /"id":1,"id"/.test(text) ? end.receiver?.received(JSON.parse(text)) : parts.deliver(end, text),
    }),
  },
  {
    name: 'ends when JSON is no message',
    law: 'garbage/no-message',
    because: 'the response to "tck/echo"',
    everywhere: true,
    change: (parts) => ({
      deliver: (end, text) =>
        text.startsWith('{') ? parts.deliver(end, text) : parts.over(end, failed('CONNECTION_LOST')),
    }),
  },
  {
    name: 'drops a member named `__proto__`',
    law: 'garbage/proto',
    because: 'the member is missing',
    everywhere: true,
    change: (parts) => ({
      deliver: (end, text) => parts.deliver(end, text.replace(/"__proto__":\{[^}]*\}/, '')),
    }),
  },
  {
    name: 'reports the first hundred faults',
    law: 'garbage/flood',
    because: '300 faults',
    everywhere: true,
    change(parts) {
      let faults = 0;
      return {
        deliver: (end, text) => (text === '{' && ++faults > 100 ? undefined : parts.deliver(end, text)),
      };
    },
  },
  {
    name: 'counts a head of its frames as part of a message',
    law: 'limits/just-under',
    because: 'TOO_LARGE',
    everywhere: true,
    change: (parts) => ({ bytes: (text) => parts.bytes(text) + 512 }),
  },
  {
    name: 'holds at most one largest message',
    law: 'limits/each-not-sum',
    because: '12 responses',
    everywhere: true,
    change: (parts) => ({
      enqueue(end, text) {
        const held = end.inbox.reduce((sum, { length }) => sum + length, text.length);
        if (held <= end.traits.maxMessageBytes) parts.enqueue(end, text);
      },
    }),
  },
  {
    name: 'drops what is nested 100 deep',
    law: 'limits/depth',
    because: 'the message',
    everywhere: true,
    change: (parts) => ({
      enqueue: (end, text) => (text.split('{').length > 100 ? undefined : parts.enqueue(end, text)),
    }),
  },
  {
    name: 'answers what was open after it has closed',
    law: 'close/open-requests',
    because: 'calls after closed() on the dialling side',
    everywhere: true,
    change: (parts) => ({
      close: (end) => parts.close(end).then(() => void end.receiver?.received({ id: 1, result: {} })),
    }),
  },
  {
    name: 'drops what it has pushed when its served side closes',
    law: 'close/delivers-pushed',
    because: 'messages that arrived of 20',
    everywhere: true,
    change: (parts) => ({
      close(end) {
        if (end.served) end.peer.inbox = [];
        return parts.close(end);
      },
    }),
  },
  {
    name: 'never resolves a close inside closed',
    law: 'close/inside-closed',
    because: 'close() inside closed()',
    everywhere: true,
    change: (parts) => ({
      close: (end) => (end.over && !end.served ? new Promise(() => undefined) : parts.close(end)),
    }),
  },
  {
    name: 'does not dial again after a close',
    law: 'close/redial',
    because: 'DIAL_FAILED',
    everywhere: true,
    change(parts) {
      let hasClosed = false;
      return {
        close: (end) => ((hasClosed = true), parts.close(end)),
        dial: (...dial) => (hasClosed ? Promise.reject(failed('DIAL_FAILED')) : parts.dial(...dial)),
      };
    },
  },
  {
    name: 'states other traits on the dialling side',
    law: 'start/traits',
    because: 'traits.serverInitiates of the served side: expected false, saw true',
    everywhere: true,
    change: (parts) => ({
      async dial(...dial) {
        const end = await parts.dial(...dial);
        return Object.assign(end, { traits: { ...end.traits, serverInitiates: false } });
      },
    }),
  },
  {
    name: 'ends all connections with the first one',
    law: 'start/redial',
    because: 'CLOSED',
    everywhere: true,
    change(parts) {
      const ends: PipeEnd[] = [];
      return {
        async dial(...dial) {
          ends.push(await parts.dial(...dial));
          return ends.at(-1) as PipeEnd;
        },
        close: (end) => parts.close(end).then(() => ends.forEach((other) => parts.over(other))),
      };
    },
  },
  {
    name: 'calls a dial that is aborted a failed one',
    law: 'start/aborting-dial',
    because: 'the code: expected "DIAL_ABORTED", saw "DIAL_FAILED"',
    everywhere: true,
    change: (parts) => ({
      dial: (...dial) => parts.dial(...dial).catch(() => Promise.reject(failed('DIAL_FAILED'))),
    }),
  },
  {
    name: 'changes its traits when it closes',
    law: 'traits/stable',
    because: 'the traits after the close',
    everywhere: true,
    change: (parts) => ({
      dial: async (...dial) => {
        const end = await parts.dial(...dial);
        return Object.assign(end, { traits: { ...end.traits } });
      },
      close(end) {
        if (!end.served) Object.assign(end.traits, { redialable: false });
        return parts.close(end);
      },
    }),
  },
  {
    name: 'changes its traits with the first message',
    law: 'traits/stable',
    because: 'the traits after a request',
    everywhere: true,
    change: (parts) => ({
      dial: async (...dial) => {
        const end = await parts.dial(...dial);
        return Object.assign(end, { traits: { ...end.traits } });
      },
      deliver(end, text) {
        if (!end.served) Object.assign(end.traits, { redialable: false });
        parts.deliver(end, text);
      },
    }),
  },
  {
    name: 'delivers headers that it claims not to carry',
    law: 'traits/no-headers',
    because: 'headers that arrived',
    everywhere: true,
    change: (parts) => ({
      deliver: (end, text) =>
        end.served ? end.receiver?.received(JSON.parse(text), { headers }) : parts.deliver(end, text),
    }),
  },
  {
    name: 'dials again though it claims not to',
    law: 'traits/no-redial',
    because: 'a second dial; set `redialable` where it works did not reject',
    everywhere: true,
    change: (parts) => ({
      async dial(...dial) {
        const end = await parts.dial(...dial);
        return Object.assign(end, { traits: { ...end.traits, redialable: false } });
      },
    }),
  },
  {
    name: 'leaves a timer for a connection that never started',
    law: 'leak/unstarted',
    because: 'there are more handles than before',
    everywhere: true,
    change: (parts) => ({
      close(end) {
        if (end.receiver === undefined) leaked.push(setInterval(() => undefined, 60_000));
        return parts.close(end);
      },
    }),
  },
];
