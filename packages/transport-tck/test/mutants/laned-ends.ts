import { acceptedImmediately, type Receiver } from '@rxmcp/transport';
import type { Call } from '../calls/side.js';
import type { LanedMutant } from './laned.js';
import { leaked } from './mutant.js';

/** Mutants of the rules about openings, endpoints, and lanes that are cut. */
export const lanedEnds: readonly LanedMutant[] = [
  {
    name: 'loses an opening that came before the start',
    law: 'start/holds-opening',
    because: 'the response to the opening',
    // An opening is a request.
    also: ['lanes/early-request'],
    accepts: 'session',
    change: (parts, { sides }) => ({
      start(side) {
        if (!sides.includes(side)) side.queue = [];
        parts.start(side);
      },
    }),
  },
  {
    name: 'accepts its endpoint again when a connection closes',
    law: 'start/accepted-once',
    because: 'connections accepted and ended',
    alone: true,
    accepts: 'endpoint',
    change: (parts) => ({
      left(caller) {
        parts.left(caller);
        parts.accept();
      },
    }),
  },
  {
    name: 'reports its open lanes after it has closed',
    law: 'lanes/close-ends-all',
    because: 'calls after closed() on the dialling side',
    everywhere: true,
    change: () => ({
      left(caller) {
        for (const { lane } of caller.calls.values()) setTimeout(() => caller.receiver?.laneClosed(lane), 5);
      },
    }),
  },
  {
    name: 'reports the end of a lane each time that it is ended',
    law: 'lanes/end-twice',
    because: 'calls of laneClosed',
    everywhere: true,
    change: (parts) => ({
      endLane(caller, lane) {
        const call = caller.calls.get(lane);
        if (call !== undefined) parts.leave(call);
      },
    }),
  },
  {
    name: 'drops what is in its lanes when the served side closes',
    law: 'lanes/close-delivers',
    because: 'messages that arrived of 20',
    everywhere: true,
    change: (parts) => ({
      deliver: (call, text, last) =>
        text.includes('"index":19') ? undefined : parts.deliver(call, text, last),
    }),
  },
  {
    name: 'loses a lane that is silent for a second',
    law: 'start/stays-open',
    because: 'ends on the dialled side',
    everywhere: true,
    change: (parts) => ({
      answer(call, text, last) {
        if (!last) leaked.push(setTimeout(() => void (call.over || parts.lose(call)), 1_000));
        return parts.answer(call, text, last);
      },
    }),
  },
  {
    name: 'takes a goodbye with an error for an orderly end',
    law: 'cut/other-ways',
    because: '"a goodbye with an error" was reported as in order',
    alone: true,
    change: () => ({ fail: (caller) => (caller.served?.end(), caller.end()) }),
  },
  {
    name: 'does not say why a lane was cut',
    law: 'cut/lane-reported',
    because: 'the cause is missing',
    alone: true,
    change: () => ({
      lose(call) {
        call.over = true;
        call.caller.add(() => call.caller.receiver?.laneClosed(call.lane));
      },
    }),
  },
  {
    name: 'loses every lane with the one that is cut',
    law: 'cut/lane-alone',
    because: 'ends of the lane that was not cut',
    alone: true,
    change: (parts, { calls }) => ({
      cut() {
        for (const call of calls) if (!call.over) parts.cut(call);
      },
    }),
  },
  {
    name: 'does not tell the served side of a lane that was cut',
    law: 'cut/lane-served',
    because: 'laneClosed on the served side',
    alone: true,
    change: (parts) => ({ cut: (call) => parts.lose(call) }),
  },
  {
    name: 'brings the first message of a lane again after a cut',
    law: 'cut/lane-resumed',
    because: 'what came before the response',
    alone: true,
    accepts: 'session',
    change(parts) {
      const first = new Map<Call, string>();
      return {
        cut: (call) => (parts.cut(call), void parts.answer(call, first.get(call) ?? '', false)),
        answer(call, text, last) {
          if (!first.has(call)) first.set(call, text);
          return parts.answer(call, text, last);
        },
      };
    },
  },
  {
    name: 'takes everything into a lane that is not read',
    law: 'pressure/unread-lane',
    because: 'were accepted although the other side did not read',
    alone: true,
    change: (parts) => ({
      answer: (...sent) => (void parts.answer(...sent), acceptedImmediately),
    }),
  },
  {
    name: 'leaves a request open that is not served',
    law: 'leak/stopped-ask',
    because: 'the end of a request without a server',
    alone: true,
    accepts: 'endpoint',
    change: () => ({ refuse: () => undefined }),
  },
  {
    name: 'reports a lane after the served side has closed',
    law: 'lanes/peer-close-ends-all',
    because: 'calls after closed() on the dialling side',
    everywhere: true,
    change: (parts, { sides }) => ({
      start(side) {
        const { receiver } = side;
        const lanes = (): void => receiver?.laneClosed({});
        if (sides.includes(side)) side.receiver = closing(receiver, () => void setTimeout(lanes, 5));
        parts.start(side);
      },
    }),
  },
  {
    name: 'is cut without a cause',
    law: 'lanes/cut-closes',
    because: 'a cut was reported without a TransportError',
    everywhere: true,
    change: () => ({ loseAll: (caller) => (caller.served?.end(), caller.end()) }),
  },
  {
    name: 'forgets sends that wait for a lane when it closes',
    law: 'lanes/close-settles',
    because: 'a send into a lane to settle',
    everywhere: true,
    change: (parts) => ({
      answer(call, ...sent) {
        void parts.answer(call, ...sent);
        return call.queued > 8 ? new Promise(() => undefined) : acceptedImmediately;
      },
    }),
  },
  {
    name: 'forgets sends that wait for a lane that is ended',
    law: 'lanes/ended-settles',
    because: 'a send into a lane that ends to settle',
    everywhere: true,
    change: (parts) => ({
      endLane(caller, lane) {
        caller.calls.get(lane)?.waiting.splice(0);
        parts.endLane(caller, lane);
      },
    }),
  },
  {
    name: 'forgets sends that wait for a lane that is cut',
    law: 'lanes/cut-settles',
    because: 'a send into a lane that is cut to settle',
    everywhere: true,
    change: (parts) => ({ cut: (call) => (call.waiting.splice(0), parts.cut(call)) }),
  },
  {
    name: 'reports a lane that is ended after the close',
    law: 'lanes/end-after-close',
    because: 'calls after closed() on the dialling side',
    everywhere: true,
    change: (parts) => ({
      endLane: (caller, lane) =>
        caller.over ? caller.receiver?.laneClosed(lane) : parts.endLane(caller, lane),
    }),
  },
];

/** A receiver that does something once it is closed. */
function closing(receiver: Receiver | undefined, then: () => void): Receiver | undefined {
  return (
    receiver && {
      received: (...arrived) => receiver.received(...arrived),
      laneClosed: (...ended) => receiver.laneClosed(...ended),
      fault: (error) => receiver.fault(error),
      closed: (error) => (receiver.closed(error), then()),
    }
  );
}
