import { acceptedImmediately, TransportError } from '@rxmcp/transport';
import { pause } from '../../src/base/clock.js';
import type { PipeEnd } from '../pipe.js';
import type { Mutant } from './mutant.js';

/** Mutants of what is sent towards the dialling side, of the fidelity of messages, and of dialling. */
export const bothWays: readonly Mutant[] = [
  {
    name: 'accepts each dial twice',
    law: 'start/one-connection',
    because: 'one dial gave 2 connections on the served side',
    everywhere: true,
    change: (parts) => ({
      async dial(connect, options) {
        const end = await parts.dial(connect, options);
        connect();
        return end;
      },
    }),
  },
  {
    name: 'normalises text',
    law: 'message/unnormalized-text',
    because: 'the echo',
    change: (parts) => ({ text: (out) => parts.text(out).normalize('NFC') }),
  },
  {
    name: 'rounds numbers',
    law: 'message/numbers',
    because: 'the echo',
    change: (parts) => ({ text: (out) => parts.text(out).replace(/(\d\.\d{12})\d+/g, '$1') }),
  },
  {
    name: 'drops `_meta`',
    law: 'message/meta',
    because: 'the `_meta` of the request on the served side',
    change: (parts) => ({ text: (out) => parts.text(out).replace(/"_meta":/g, '"meta":') }),
  },
  {
    name: 'drops the `_meta` of what the served side sends',
    law: 'message/meta',
    because: 'the `_meta` of the result',
    change: (parts) => ({
      enqueue: (end, text) => parts.enqueue(end, end.served ? text : text.replace(/,"_meta":.*$/, '}}')),
    }),
  },
  {
    name: 'drops unknown members towards the dialling side',
    law: 'message/unknown-members-dialled',
    because: 'the unknown member of the',
    change: (parts) => ({
      enqueue: (end, text) =>
        parts.enqueue(end, end.served ? text : text.replace(/,"extension":\{.*\}\}$/, '}')),
    }),
  },
  {
    name: 'drops members that are null',
    law: 'message/null-members',
    because: 'the echo',
    change: (parts) => ({ text: (out) => parts.text(out).replace(/"nothing":null,?/g, '') }),
  },
  {
    name: 'breaks characters of four bytes in large messages',
    law: 'message/large-non-ascii',
    because: 'length on the served side',
    change: (parts) => ({
      enqueue: (end, text) => parts.enqueue(end, text.length > 5_000 ? text.replaceAll('😀', '?') : text),
    }),
  },
  {
    name: 'cuts large responses',
    law: 'served/large-responses',
    because: 'the length of the response',
    change: (parts) => ({
      enqueue: (end, text) =>
        parts.enqueue(end, end.served ? text : text.replace(/("result".*?)x{15000}x+/, '$1x')),
    }),
  },
  {
    name: 'swallows a response that is too large',
    law: 'served/response-too-large',
    because: 'the error that is sent instead',
    // Its limit on the served side is examined there too.
    also: ['limits/too-large'],
    change: (parts) => ({
      send(end, out, envelope) {
        const isLarge = end.served && parts.bytes(parts.text(out)) > end.traits.maxMessageBytes;
        return isLarge ? acceptedImmediately : parts.send(end, out, envelope);
      },
    }),
  },
  {
    name: 'drops what a flood of the served side exceeds',
    law: 'served/flood',
    because: 'messages',
    change: (parts) => ({
      enqueue: (end, text) => (end.served || end.inbox.length < 200 ? parts.enqueue(end, text) : undefined),
    }),
  },
  {
    name: 'drops answers of the dialling side',
    law: 'served/asks',
    because: 'requests of the served side and the result',
    change: (parts) => ({
      enqueue: (end, text) =>
        end.served && text.includes('"result"') ? undefined : parts.enqueue(end, text),
    }),
  },
  {
    name: 'takes a request of the served side for the response with its id',
    law: 'served/asks-with-equal-id',
    because: 'the response',
    change: (parts) => ({
      enqueue: (end, text) =>
        !end.served && text.includes('"id":7,"method"') ? undefined : parts.enqueue(end, text),
    }),
  },
  {
    name: 'holds every tenth message back for a second',
    law: 'order/one-at-a-time',
    because: 'message 10 of 30',
    everywhere: true,
    change(parts) {
      let count = 0;
      return {
        enqueue(end, text) {
          if (!end.served || ++count % 10 !== 0) return parts.enqueue(end, text);
          setTimeout(() => parts.enqueue(end, text), 1_000);
        },
      };
    },
  },
  {
    name: 'swaps small and large messages',
    law: 'order/mixed-sizes',
    because: 'the lengths in order of arrival',
    change: (parts) => ({
      enqueue: (end, text) =>
        end.served && text.length > 9_000 && text.includes('ü')
          ? void setImmediate(() => setImmediate(() => parts.enqueue(end, text)))
          : parts.enqueue(end, text),
    }),
  },
  {
    name: 'takes the newest frame first on the dialling side',
    law: 'order/both-ways',
    because: 'the order on the dialled side',
    everywhere: true,
    change: (parts) => ({ next: (end) => (end.served ? parts.next(end) : end.inbox.pop()) }),
  },
  {
    name: 'loses the last two messages of the turn of a close',
    law: 'close/same-turn',
    because: 'messages never arrived of the',
    everywhere: true,
    change: (parts) => ({
      close(end) {
        end.peer.inbox.splice(-2);
        return parts.close(end);
      },
    }),
  },
  {
    name: 'calls the close of its served side a loss',
    law: 'close/served-side',
    because: 'the end of the side that closed',
    everywhere: true,
    change: (parts) => ({
      over: (end, error) => parts.over(end, error ?? (end.served ? lost() : undefined)),
    }),
  },
  {
    name: 'ends a connection when the signal of its dial fires later',
    law: 'dial/abort-after',
    because: 'the response to "tck/echo"',
    everywhere: true,
    change: (parts) => ({
      async dial(connect, options) {
        const end = await parts.dial(connect, options);
        options?.signal?.addEventListener('abort', () => parts.over(end.peer));
        return end;
      },
    }),
  },
  {
    name: 'listens to the signal of a dial for good',
    law: 'dial/signal-released',
    because: 'listeners on the signal of the dial',
    alone: true,
    change: (parts) => ({
      dial(connect, options) {
        options?.signal?.addEventListener('abort', () => undefined);
        return parts.dial(connect, options);
      },
    }),
  },
  {
    name: 'loses what was sent before a close while the other side sends',
    law: 'close/both-ways',
    because: 'messages that were accepted before close() never arrived',
    everywhere: true,
    change: (parts) => ({
      close(end) {
        if (!end.served && end.inbox.length > 0) end.peer.inbox = [];
        return parts.close(end);
      },
    }),
  },
  {
    name: 'aborts all dials with one of them',
    law: 'dial/abort-one',
    because: 'the transport rejected with DIAL_ABORTED',
    everywhere: true,
    change(parts) {
      let newest: AbortSignal | undefined;
      return {
        async dial(connect, options) {
          newest = options?.signal ?? newest;
          await pause(1);
          return parts.dial(connect, newest && { signal: newest });
        },
      };
    },
  },
  {
    name: 'gives two dials at once one connection',
    law: 'dial/two-at-once',
    because: 'waited',
    everywhere: true,
    change(parts) {
      let running: Promise<PipeEnd> | undefined;
      return {
        dial: (connect, options) =>
          (running ??= parts
            .dial(connect, options)
            .finally(() => void setTimeout(() => (running = undefined)))),
      };
    },
  },
  {
    name: 'does not dial again after an aborted dial',
    law: 'dial/again-after-abort',
    because: 'the transport rejected with DIAL_ABORTED',
    everywhere: true,
    change(parts) {
      let failed: Promise<PipeEnd> | undefined;
      return {
        dial(connect, options) {
          if (failed !== undefined) return failed;
          const dialling = parts.dial(connect, options);
          if (options?.signal?.aborted === true) failed = dialling;
          return dialling;
        },
      };
    },
  },
];

function lost(): TransportError {
  return new TransportError('CONNECTION_LOST', 'It ended.');
}
