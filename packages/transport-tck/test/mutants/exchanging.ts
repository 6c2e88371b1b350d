import { EncodedMessage } from '@rxmcp/jsonrpc';
import { acceptedImmediately, TransportError } from '@rxmcp/transport';
import { pause } from '../../src/base/clock.js';
import type { PipeEnd } from '../pipe.js';
import type { Mutant } from './mutant.js';

const never = (): Promise<never> => new Promise(() => undefined);

/** Mutants of order, ids, send options and of what the served side sends: whole exchanges go wrong, and single messages do not. */
export const exchanging: readonly Mutant[] = [
  {
    name: 'drops a message that equals the one before',
    law: 'order/equal-messages',
    because: '3 equal messages on the served side',
    // The bad frames of a flood are equal.
    also: ['garbage/flood'],
    change(parts) {
      const last = new WeakMap<PipeEnd, string>();
      return {
        enqueue(end, text) {
          if (last.get(end) !== text) parts.enqueue(end, text);
          last.set(end, text);
        },
      };
    },
  },
  {
    name: 'answers each twentieth request twice',
    law: 'order/responses',
    because: 'the responses to request',
    everywhere: true,
    change(parts) {
      let answers = 0;
      return {
        enqueue(end, text) {
          parts.enqueue(end, text);
          if (!end.served && ++answers % 20 === 0) parts.enqueue(end, text);
        },
      };
    },
  },
  {
    name: 'delivers the newest pushed message first',
    law: 'order/pushed',
    because: 'the order of arrival',
    everywhere: true,
    change: (parts) => ({
      next(end) {
        const newest = end.inbox.findLastIndex((text) => text.includes('tck/pushed'));
        return newest > 0 ? end.inbox.splice(newest, 1)[0] : parts.next(end);
      },
    }),
  },
  {
    name: 'delivers a result before what was sent before it',
    law: 'order/result-last',
    because: 'the result was not the last message',
    everywhere: true,
    change: (parts) => ({
      next(end) {
        const result = end.inbox.findIndex((text) => text.includes('"result"'));
        return result > 0 ? end.inbox.splice(result, 1)[0] : parts.next(end);
      },
    }),
  },
  {
    name: 'delivers in the turn of the send',
    law: 'order/sends-inside-received',
    because: 'a timer of 2 ms did not fire within 5000 exchanges',
    everywhere: true,
    change: (parts) => ({
      enqueue: (end, text) =>
        end.receiver === undefined
          ? parts.enqueue(end, text)
          : void Promise.resolve().then(() => parts.deliver(end, text)),
    }),
  },
  {
    name: 'drops a response whose id was answered before',
    law: 'id/reused',
    because: 'response 2 to id 1',
    everywhere: true,
    change(parts) {
      let answers = 0;
      return {
        enqueue: (end, text) =>
          !end.served && text.includes('"id":1,') && ++answers > 1 ? undefined : parts.enqueue(end, text),
      };
    },
  },
  {
    name: 'drops a request whose id is open',
    law: 'id/not-validated',
    because: 'both responses to id 1',
    everywhere: true,
    change(parts) {
      const open = new Set<string>();
      return {
        enqueue(end, text) {
          const [id] = /"id":[^,]+,"method"/.exec(text) ?? [text];
          if (!open.has(id)) parts.enqueue(end, text);
          open.add(id);
        },
      };
    },
  },
  {
    name: 'drops characters that are escaped',
    law: 'send-options/values',
    because: 'the echo',
    everywhere: true,
    change: (parts) => ({ text: (out) => parts.text(out).replaceAll('\\u0000', '') }),
  },
  {
    name: 'sends an encoded message once',
    law: 'send-options/encoded',
    because: 'the response',
    everywhere: true,
    change(parts) {
      const sent = new Set<unknown>();
      return {
        send(end, out, options) {
          if (sent.has(out)) return acceptedImmediately;
          if (out instanceof EncodedMessage) sent.add(out);
          return parts.send(end, out, options);
        },
      };
    },
  },
  {
    name: 'reports send options that it does not use',
    law: 'send-options/hints',
    because: 'faults and ends',
    everywhere: true,
    change: (parts) => ({
      send(end, out, options) {
        if (options?.version === '2025-11-25')
          end.receiver?.fault(new TransportError('SEND_FAILED', 'The version is unknown.'));
        return parts.send(end, out, options);
      },
    }),
  },
  {
    name: 'counts a part of its frame as part of a response',
    law: 'served/response-just-under',
    because: 'was answered without a result',
    everywhere: true,
    change: (parts) => ({
      send: (end, out, options) =>
        end.served && parts.bytes(parts.text(out)) > end.traits.maxMessageBytes - 600
          ? Promise.reject(new TransportError('TOO_LARGE', 'It is too large.', { outcome: 'not-sent' }))
          : parts.send(end, out, options),
    }),
  },
  {
    name: 'drops requests while its responses wait',
    law: 'served/responses-in-flood',
    because: 'the response to "tck/echo"',
    everywhere: true,
    change: (parts) => ({
      deliver: (end, text) =>
        end.served && end.peer.inbox.length > 100 ? undefined : parts.deliver(end, text),
    }),
  },
  {
    name: 'holds the fiftieth message until another one is behind it',
    law: 'served/ping-pong',
    because: 'the response to "tck/echo"',
    everywhere: true,
    change(parts) {
      const arrived: string[] = [];
      return {
        enqueue(end, text) {
          if (!end.served && arrived.push(text) === 50) return;
          if (!end.served && arrived.length === 51) parts.enqueue(end, arrived[49] ?? '');
          parts.enqueue(end, text);
        },
      };
    },
  },
  {
    name: 'holds requests behind one that is open',
    law: 'lanes/independent',
    because: 'the response to the fast request',
    everywhere: true,
    change(parts) {
      let isHeld = false;
      return {
        enqueue(end, text) {
          isHeld ||= text.includes('tck/hold');
          if (!isHeld || !text.includes('tck/echo')) parts.enqueue(end, text);
        },
      };
    },
  },
  {
    name: 'reports the end of a lane where one is shared',
    law: 'lanes/no-end-shared',
    because: 'calls of laneClosed',
    everywhere: true,
    change: (parts) => ({
      deliver(end, text) {
        parts.deliver(end, text);
        end.receiver?.laneClosed({});
      },
    }),
  },
  {
    name: 'forgets sends that are on their way when it closes',
    law: 'cut/sends-settle',
    because: 'a send before close() to settle',
    everywhere: true,
    change: (parts) => ({
      send: (end, ...sent) =>
        pause(5).then(() => (end.closing === undefined ? parts.send(end, ...sent) : never())),
    }),
  },
  {
    name: 'forgets sends that are on their way when it is cut',
    law: 'cut/loss-settles-sends',
    because: 'a send before the cut to settle',
    everywhere: true,
    change: (parts) => ({
      send: (end, ...sent) => pause(5).then(() => (end.over ? never() : parts.send(end, ...sent))),
    }),
  },
];
