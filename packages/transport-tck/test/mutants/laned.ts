import type { AcceptsAt } from '../../src/index.js';
import type { Hub, Parts } from '../calls/parts.js';
import type { Broken } from './mutant.js';

/** Working calls with one change. */
export interface LanedMutant extends Broken {
  /** When its connections are accepted. @default 'dial' */
  readonly accepts?: AcceptsAt;
  /** Replaces parts of the calls, in at most ten lines. */
  change(parts: Parts, hub: Hub): Partial<Parts>;
}

/** Mutants of the rules about the lanes of requests and what is in them. */
export const laned: readonly LanedMutant[] = [
  {
    name: 'answers in a lane of its own',
    law: 'lanes/response-in-lane',
    because: 'a message came in another lane',
    // It looks for each response in the lane of its request.
    also: ['id/lane-scope'],
    change: () => ({ laneOf: () => ({}) }),
  },
  {
    name: 'serves all requests in one lane',
    law: 'lanes/one-each',
    because: 'the requests share a lane',
    // Only the id says then which request a response belongs to; nothing says whose lane was cut.
    also: ['cut/lane-served', 'id/lane-scope', 'served/asks', 'served/asks-with-equal-id'],
    change: (_, { calls }) => ({
      post: (served, text, { headers = {} }) =>
        served.add(() => served.deliver(text, { lane: served, headers })),
      callOf: (served, _lane, out) =>
        calls.findLast((call) => call.served === served && (!('id' in out) || call.id === out.id)),
    }),
  },
  {
    name: 'keeps the end of a lane to itself',
    law: 'lanes/end-arrives',
    because: 'laneClosed on the served side',
    change: () => ({
      endLane(caller, lane) {
        const call = caller.calls.get(lane);
        if (call !== undefined) call.over = true;
      },
    }),
  },
  {
    name: 'pushes in the lane of the first request',
    law: 'lanes/standing',
    because: 'a pushed message has a lane',
    // Questions of the server are pushed.
    also: ['served/asks', 'served/asks-with-equal-id'],
    change: (_, { sides }) => ({
      async push(served, text) {
        const caller = sides.find((side) => side.served === served);
        const [lane = {}] = caller?.calls.keys() ?? [];
        caller?.add(() => caller.deliver(text, { lane }));
      },
    }),
  },
  {
    name: 'continues in a lane that was ended',
    law: 'lanes/ended-silent',
    because: 'messages and ends of the ended lane',
    change: (parts) => ({
      endLane(caller, lane) {
        const call = caller.calls.get(lane);
        if (call?.over === false) parts.leave(call);
      },
    }),
  },
  {
    name: 'closes when a lane is ended that was answered',
    law: 'lanes/end-answered',
    because: 'The message came to nothing.',
    change: (parts) => ({
      endLane(caller, lane) {
        if (caller.calls.get(lane)?.over === true) caller.end();
        else parts.endLane(caller, lane);
      },
    }),
  },
  {
    name: 'reports an answered lane as lost',
    law: 'lanes/answered',
    because: 'causes of ended lanes',
    alone: true,
    change: (parts) => ({
      deliver(call, text, last) {
        const answers = last && !call.over;
        parts.deliver(call, text, last);
        if (answers) parts.lose(call);
      },
    }),
  },
  {
    name: 'keeps the end of a lane by the served side to itself',
    law: 'lanes/end-by-peer',
    because: 'laneClosed on the dialling side',
    alone: true,
    change: () => ({
      endCall(call) {
        call.over = true;
      },
    }),
  },
  {
    name: 'finds the lane of a response by its id',
    law: 'id/lane-scope',
    because: 'the 3 responses to id 1',
    // Equal ids lead to the wrong lane.
    also: ['lanes/client-response', 'lanes/equal-ids-reversed'],
    change: (parts, { calls }) => ({
      callOf(served, lane, out) {
        const named = calls.findLast((call) => 'id' in out && call.id === out.id && call.served === served);
        return named ?? parts.callOf(served, lane, out);
      },
    }),
  },
  {
    name: 'answers a request in the lane of another one with its result',
    law: 'id/lane-scope',
    because: 'the responses in lane 2',
    change: (parts) => ({
      answer: (call, text, last) => parts.answer(call, text.replace('"copy":2', '"copy":1'), last),
    }),
  },
  {
    name: 'sends the notifications of all requests to the newest one',
    law: 'id/callers-apart',
    because: 'notifications on connection 0',
    // Interleaved lanes have notifications.
    also: ['lanes/interleaved'],
    accepts: 'endpoint',
    change: (parts, { calls }) => ({
      callOf: (served, lane, out) => ('method' in out ? calls.at(-1) : parts.callOf(served, lane, out)),
    }),
  },
  {
    name: 'answers one caller with the result of another one',
    law: 'id/callers-apart',
    because: 'the responses on connection 0',
    // Two clients that connect at once have a result of their own each.
    also: ['dial/two-at-once'],
    accepts: 'endpoint',
    change: (parts) => ({
      answer: (call, text, last) => parts.answer(call, text.replace('"owner":0', '"owner":1'), last),
    }),
  },
  {
    name: 'sends the responses of the dialling side in no lane',
    law: 'lanes/client-response',
    because: 'the responses that request 1 got',
    alone: true,
    change: () => ({ replyLane: () => undefined }),
  },
  {
    name: 'sends the messages of all lanes in the newest one',
    law: 'lanes/interleaved',
    because: 'what arrived in the lane of request a',
    everywhere: true,
    change: (parts, { calls }) => ({
      laneOf: (call) => (calls.length > 4 ? (calls.at(-1) ?? call).lane : call.lane),
    }),
  },
  {
    name: 'mixes large messages of several lanes',
    law: 'lanes/large-at-once',
    because: 'differs from what was sent',
    alone: true,
    change(parts) {
      let before = '';
      return {
        answer(call, text, last) {
          const [part = ''] = /([abc])\1{4000,}/.exec(text) ?? [];
          [before, text] = [part, before === '' ? text : text.replace(part, before)];
          return parts.answer(call, text, last);
        },
      };
    },
  },
  {
    name: 'swaps the lanes of requests that wait',
    law: 'lanes/reverse-responses',
    because: 'the responses in lane 1',
    everywhere: true,
    change: (parts, { calls }) => ({
      laneOf: (call) => (calls.length === 4 && call === calls[0] ? (calls[1]?.lane ?? call.lane) : call.lane),
    }),
  },
  {
    name: 'finds the newest request with the id of a response',
    law: 'lanes/equal-ids-reversed',
    because: 'the 3 responses',
    everywhere: true,
    change: (parts, { calls }) => ({
      callOf: (served, lane, out) =>
        ('id' in out ? calls.findLast(({ id }) => id === out.id) : undefined) ??
        parts.callOf(served, lane, out),
    }),
  },
  {
    name: 'forgets a request that came before the start',
    law: 'lanes/early-request',
    because: 'the response to the early request',
    everywhere: true,
    change: (parts, { sides }) => ({
      start(side) {
        if (!sides.includes(side)) side.queue = [];
        parts.start(side);
      },
    }),
  },
  {
    name: 'delivers an unasked response though it claims to carry none',
    law: 'traits/no-client-replies',
    because: 'responses that arrived',
    // The response arrives before each message that has no lane.
    also: ['send-options/unknown-members'],
    accepts: 'endpoint',
    change: (parts, hub) => ({
      replyLane(caller) {
        if (hub.endpoint !== undefined)
          parts.post(hub.endpoint, '{"jsonrpc":"2.0","id":"reply","result":{}}', {}, undefined);
        return parts.replyLane(caller, {});
      },
    }),
  },
  {
    name: 'pushes to its clients though it claims not to',
    law: 'traits/no-server-initiates',
    because: 'messages that arrived unasked',
    everywhere: true,
    accepts: 'endpoint',
    change: (_, { sides }) => ({
      push: async (_served, text) => sides.at(-1)?.add(() => sides.at(-1)?.deliver(text, {})),
    }),
  },
  {
    name: 'accepts larger messages at its endpoint than it lets its clients send',
    law: 'start/traits',
    because: 'traits.maxMessageBytes of the served side',
    everywhere: true,
    accepts: 'endpoint',
    change: (parts) => ({
      dialled(caller) {
        Object.assign(caller, { traits: { ...caller.traits, maxMessageBytes: 16 * 1024 } });
        return parts.dialled(caller);
      },
    }),
  },
  {
    name: 'has headers at its endpoint only',
    law: 'start/traits',
    because: 'traits.carriesHeaders is true on the served side only',
    everywhere: true,
    accepts: 'endpoint',
    change: (parts) => ({
      dialled(caller) {
        Object.assign(caller, { traits: { ...caller.traits, carriesHeaders: false } });
        return parts.dialled(caller);
      },
    }),
  },
  {
    name: 'forgets the headers',
    law: 'send-options/headers',
    because: 'the headers that arrived',
    alone: true,
    change: (parts) => ({ post: (served, text, _, call) => parts.post(served, text, {}, call) }),
  },
];
