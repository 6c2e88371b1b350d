import { encode, EncodedMessage, type JsonRpcMessage } from '@rxmcp/jsonrpc';
import { acceptedImmediately } from '@rxmcp/transport';
import type { Parts, PipeEnd } from '../pipe.js';
import type { Mutant } from './mutant.js';

/** Mutants of the groups envelope, limits and garbage. */
export const carrying: readonly Mutant[] = [
  {
    name: 'sends though the signal has fired',
    law: 'send-options/aborted-signal',
    because: 'the aborted send did not reject',
    change: (parts) => ({ send: (end, out) => parts.send(end, out, undefined) }),
  },
  {
    name: 'takes frames of any size',
    law: 'garbage/too-large',
    because: 'frames over the limit that were delivered',
    alone: true,
    change: () => ({ fits: () => true }),
  },
  {
    name: 'keeps refused answers to itself',
    law: 'send-options/rejections',
    because: 'the rejection "malformed"',
    change: (parts) => ({
      send: (end, out, envelope) =>
        envelope?.rejection === undefined ? parts.send(end, out, envelope) : acceptedImmediately,
    }),
  },
  {
    name: 'carries only what the specification names',
    law: 'send-options/unknown-members',
    because: 'the message',
    // The same members are lost in the other direction.
    also: ['message/unknown-members-dialled'],
    change: (parts) => ({ text: (out) => parts.text(out).replace(/,"extension":\{[^}]*\}/, '') }),
  },
  {
    name: 'copies no more than the top of a message',
    law: 'send-options/isolated',
    because: 'what arrived on the served side',
    alone: true,
    change: (parts) =>
      handing(parts, (sent) => ({ ...sent, ...('params' in sent && { params: { ...sent.params } }) })),
  },
  {
    name: 'hands over the very message that the served side sent',
    law: 'send-options/isolated',
    because: 'what arrived on the dialled side',
    alone: true,
    change: (parts) => handing(parts, (sent, at) => (at.served ? undefined : sent)),
  },
  {
    name: 'keeps what it parsed for equal messages',
    law: 'send-options/encoded',
    because: 'two receivers were handed the same object',
    everywhere: true,
    change(parts) {
      const parsed = new Map<string, unknown>();
      return {
        deliver(end, text) {
          if (!text.includes('"once"')) return parts.deliver(end, text);
          if (!parsed.has(text)) parsed.set(text, JSON.parse(text));
          end.receiver?.received(parsed.get(text));
        },
      };
    },
  },
  {
    name: 'sends the large message that it refuses',
    law: 'limits/too-large',
    because: 'large messages that arrived',
    change: (parts) => ({
      send(end, out, envelope) {
        const text = parts.text(out);
        if (parts.bytes(text) > end.traits.maxMessageBytes) parts.enqueue(end.peer, text);
        return parts.send(end, out, envelope);
      },
    }),
  },
  {
    name: 'has no limit on the served side',
    law: 'limits/too-large',
    because: 'the large send did not reject',
    // A large response is a large message of the served side.
    also: ['served/response-too-large'],
    change: (parts) => ({
      send(end, out, envelope) {
        const text = parts.text(out);
        const small = parts.bytes(text) <= end.traits.maxMessageBytes;
        if (!end.served || small) return parts.send(end, out, envelope);
        parts.enqueue(end.peer, text);
        return acceptedImmediately;
      },
    }),
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
    // A large response is a large message.
    also: ['served/response-too-large'],
    change: (parts) => ({
      send(end, out, envelope) {
        const sent = parts.send(end, out, envelope);
        if (parts.bytes(parts.text(out)) > end.traits.maxMessageBytes) parts.over(end);
        return sent;
      },
    }),
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

/** Hands over what `made` makes of the message that was sent, and its text where that is nothing. */
function handing(parts: Parts, made: (sent: JsonRpcMessage, at: PipeEnd) => unknown): Partial<Parts> {
  const kept = new Map<string, JsonRpcMessage>();
  return {
    send(end, out, envelope) {
      if (!(out instanceof EncodedMessage)) kept.set(encode(out), out);
      return parts.send(end, out, envelope);
    },
    deliver(end, text) {
      const sent = kept.get(text);
      const given = sent === undefined ? undefined : made(sent, end);
      if (given === undefined) parts.deliver(end, text);
      else end.receiver?.received(given);
    },
  };
}
