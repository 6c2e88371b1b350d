import {
  acceptedImmediately,
  type ConnectionHandler,
  type SendOptions,
  type Lane,
  type OutgoingMessage,
} from '@rxmcp/transport';
import type { AcceptsAt } from '../../src/index.js';
import { type Call, failure, type Side } from './side.js';

/** The listening side. */
export interface Hub {
  readonly accepts: AcceptsAt;
  readonly acceptor: ConnectionHandler;
  readonly sides: Side[];
  readonly calls: Call[];
  endpoint: Side | undefined;
  stopped: boolean;
}

/** What the transport is made of. A mutant replaces one part. */
export interface Parts {
  /** A dialling side is there; gives the served one where there is one already. */
  dialled(caller: Side): Side | undefined;
  accept(): Side;
  start(side: Side): void;
  /** A message on its way to the served side, and the call that it begins. */
  post(served: Side, text: string, envelope: SendOptions, call: Call | undefined): void;
  /** The call in whose lane the dialling side answers. */
  replyLane(caller: Side, envelope: SendOptions): Call | undefined;
  /** The side that serves a call which the served side was to answer. */
  callOf(served: Side, lane: Lane, out: OutgoingMessage): Call | undefined;
  /** A message on its way to the dialling side. */
  answer(call: Call, text: string, last: boolean): Promise<void>;
  deliver(call: Call, text: string, last: boolean): void;
  /** The lane that a message of the call arrives in. */
  laneOf(call: Call): Lane;
  push(served: Side, text: string): Promise<void>;
  /** The dialling side ends a lane. */
  endLane(caller: Side, lane: Lane): void;
  /** The served side ends a call. */
  endCall(call: Call): void;
  cut(call: Call): void;
  /** A connection is cut on both sides. */
  loseAll(caller: Side): void;
  /** The served side ends a connection with an error. */
  fail(caller: Side): void;
  /** A call comes to nothing. */
  lose(call: Call): void;
  leave(call: Call): void;
  /** A dialling side has closed. */
  left(caller: Side): void;
  /** A call without a handler. */
  refuse(call: Call): void;
}

const maxQueued = 64;
/** How long a session's call is away after a cut. */
const awayMs = 5;

export function working(hub: Hub, parts: () => Parts, newSide: () => Side): Parts {
  return {
    dialled: () => (hub.accepts === 'dial' ? parts().accept() : hub.endpoint),
    accept: () => newSide(),
    start: (side) => side.wake(),
    post(served, text, { headers }, call) {
      const arrival = {
        ...(call !== undefined && { lane: call.theirs }),
        ...(headers !== undefined && { headers }),
      };
      served.add(() => served.deliver(text, arrival));
    },
    replyLane: (caller, { lane }) => (lane === undefined ? undefined : caller.calls.get(lane)),
    callOf: (served, lane) => served.calls.get(lane),
    answer(call, text, last) {
      call.queued += 1;
      const event = (): void => parts().deliver(call, text, last);
      if (call.kept === undefined) call.caller.add(event);
      else call.kept.push(event);
      return call.queued > maxQueued
        ? new Promise((resolve) => call.waiting.push(resolve))
        : acceptedImmediately;
    },
    deliver(call, text, last) {
      call.queued -= 1;
      if (call.queued === 0) for (const taken of call.waiting.splice(0)) taken();
      if (call.over) return;
      call.over = last;
      call.caller.deliver(text, { lane: parts().laneOf(call) });
    },
    laneOf: ({ lane }) => lane,
    push(served, text) {
      if (hub.accepts === 'endpoint') return Promise.reject(failure('SEND_FAILED'));
      const caller = hub.sides.find((side) => side.served === served);
      caller?.add(() => caller.deliver(text, {}));
      return acceptedImmediately;
    },
    endLane(caller, lane) {
      const call = caller.calls.get(lane);
      if (call === undefined || call.over) return;
      call.over = true;
      parts().leave(call);
    },
    endCall(call) {
      if (!call.over) parts().lose(call);
    },
    cut(call) {
      if (hub.accepts !== 'session') {
        parts().lose(call);
        parts().leave(call);
        return;
      }
      const kept = (call.kept = []);
      setTimeout(() => {
        call.kept = undefined;
        for (const event of kept) call.caller.add(event);
      }, awayMs);
    },
    loseAll(caller) {
      for (const side of [caller.served, caller]) side?.end(failure('CONNECTION_LOST'));
    },
    fail: (caller) => parts().loseAll(caller),
    lose(call) {
      call.over = true;
      call.caller.add(() => call.caller.receiver?.laneClosed(call.lane, failure('CONNECTION_LOST')));
    },
    leave({ served, theirs }) {
      if (hub.accepts === 'session') return;
      served.add(() => served.receiver?.laneClosed(theirs, failure('CONNECTION_LOST')));
    },
    left({ served }) {
      if (hub.accepts !== 'endpoint') served?.add(() => served.end());
    },
    refuse: (call) => parts().lose(call),
  };
}
