import { TransportError } from '@rxmcp/transport';
import type { Mutant } from './mutant.js';

const rejected = (code: 'CLOSED' | 'SEND_FAILED' | 'TOO_LARGE'): Promise<never> =>
  Promise.reject(new TransportError(code, 'The message was not sent.', { outcome: 'unknown' }));

/** Mutants that reject, report or carry at the right time, but not what they should. */
export const reporting: readonly Mutant[] = [
  {
    name: 'does not know whether it sent what comes after its close',
    law: 'close/send-after',
    because: 'code and outcome: expected ["CLOSED","not-sent"], saw ["CLOSED","unknown"]',
    change: (parts) => ({
      send: (end, ...sent) => (end.closing === undefined ? parts.send(end, ...sent) : rejected('CLOSED')),
    }),
  },
  {
    name: 'does not know whether it sent what comes after the close of the other side',
    law: 'close/send-after-peer',
    because: 'the outcome: expected "not-sent", saw "unknown"',
    change: (parts) => ({
      send: (end, ...sent) =>
        end.over && end.closing === undefined ? rejected('CLOSED') : parts.send(end, ...sent),
    }),
  },
  {
    name: 'does not know whether it sent what is too large',
    law: 'limits/too-large',
    because: 'code and outcome: expected ["TOO_LARGE","not-sent"], saw ["TOO_LARGE","unknown"]',
    // A large response is a large message of the served side.
    also: ['served/response-too-large'],
    change: (parts) => ({
      send: (end, out, options) =>
        parts.bytes(parts.text(out)) > end.traits.maxMessageBytes
          ? rejected('TOO_LARGE')
          : parts.send(end, out, options),
    }),
  },
  {
    name: 'does not know whether it sent what was aborted before',
    law: 'send-options/aborted-signal',
    because: 'the outcome: expected "not-sent", saw "unknown"',
    alone: true,
    change: (parts) => ({
      send: (end, out, options) =>
        options?.signal?.aborted === true ? rejected('SEND_FAILED') : parts.send(end, out, options),
    }),
  },
  ...(['garbage/not-json', 'garbage/too-deep'] as const).map((law): Mutant => ({
    name: 'reports each frame that it cannot read as too large',
    law,
    because: 'code and reply: expected',
    change: (parts) => ({
      start: (end, receiver) =>
        parts.start(end, {
          received: (...arrived) => receiver.received(...arrived),
          laneClosed: (...ended) => receiver.laneClosed(...ended),
          fault: ({ reply }) => receiver.fault(new TransportError('TOO_LARGE', 'It is.', reply && { reply })),
          closed: (error) => receiver.closed(error),
        }),
    }),
  })),
  {
    name: 'cuts the innermost value off',
    law: 'limits/depth',
    because: 'the params: expected',
    alone: true,
    change: (parts) => ({ text: (out) => parts.text(out).replace('{"nested":{}}', '{}') }),
  },
  {
    name: 'adds a member to responses',
    law: 'message/null-members',
    because: 'its members: expected ["id","jsonrpc","result"], saw ["extra","id","jsonrpc","result"]',
    alone: true,
    change: (parts) => ({
      text: (out) => parts.text(out).replace(/^\{(?=.*"id":"bare")(?=.*"result")/, '{"extra":null,'),
    }),
  },
  {
    name: 'delivers one notification in place of another one',
    law: 'order/result-last',
    because: 'what came before the result: expected',
    // A flood has so many notifications too.
    also: ['served/flood'],
    change: (parts) => ({
      text: (out) => parts.text(out).replace(/(?<=tck\/progressed.*"index":)40\b/, '41'),
    }),
  },
];
