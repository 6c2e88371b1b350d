import { decode, encode, type JsonObject, type JsonRpcMessage } from '@rxmcp/jsonrpc';
import {
  acceptedImmediately,
  type ConnectionHandler,
  type Connection,
  type SendOptions,
  type Lane,
  type OutgoingMessage,
  pipeTraits,
  type Traits,
  TransportError,
} from '@rxmcp/transport';
import type { AcceptsAt, OutgoingFrame, SessionOpener, Fixture } from '../../src/index.js';
import { type Hub, type Parts, working } from './parts.js';
import { type Call, failure, Side } from './side.js';

const perRequest: Traits = {
  ...pipeTraits,
  lanes: 'per-request',
  carriesHeaders: true,
  maxMessageBytes: 32 * 1024,
};
const servedTraits: Record<AcceptsAt, Traits> = {
  dial: { ...perRequest, idScope: 'lane' },
  session: { ...perRequest, idScope: 'connection' },
  endpoint: { ...perRequest, idScope: 'lane', serverInitiates: false, clientReplies: false },
};

/** A transport in memory where every request has a lane of its own; `change` breaks it. */
export function callsRig(
  acceptor: ConnectionHandler,
  accepts: AcceptsAt,
  change: (parts: Parts, hub: Hub) => Partial<Parts> = () => ({}),
): Fixture {
  const hub: Hub = { accepts, acceptor, sides: [], calls: [], endpoint: undefined, stopped: false };
  const newSide = (): Side => {
    const served = new Side(servedTraits[accepts]);
    acceptor.accept(servedConnection(served, hub, parts));
    return served;
  };
  const parts: Parts = working(hub, () => parts, newSide);
  Object.assign(parts, change({ ...parts }, hub));
  if (accepts === 'endpoint') hub.endpoint = parts.accept();
  const opens = accepts === 'session' ? { openSession, resumesLanes: true } : {};
  const newest = (): Call | undefined => hub.calls.findLast(({ over }) => !over);
  return {
    transport: {
      name: 'calls',
      async dial({ signal } = {}) {
        await Promise.resolve();
        if (signal?.aborted === true) throw new TransportError('DIAL_ABORTED', 'the dial was aborted');
        if (hub.stopped && accepts === 'dial')
          throw new TransportError('DIAL_FAILED', 'The server is closed.');
        const caller = new Side(accepts === 'dial' ? servedTraits.dial : perRequest);
        hub.sides.push(caller);
        caller.served = parts.dialled(caller);
        return dialledConnection(caller, hub, parts);
      },
    },
    async close() {
      hub.stopped = true;
      hub.endpoint?.end();
      for (const caller of hub.sides) closeServed(caller);
    },
    cutLane() {
      const call = newest();
      if (call !== undefined) parts.cut(call);
    },
    ...(accepts === 'dial' && {
      cut() {
        const caller = hub.sides.at(-1);
        if (caller !== undefined) parts.loseAll(caller);
      },
      otherCuts: {
        'a goodbye with an error': () => parts.fail(hub.sides.at(-1) as Side),
      },
    }),
    notInjectable: ['served'],
    injectFrame(towards, frame) {
      const call = newest();
      if (towards === 'served' || typeof frame !== 'string') return false;
      call?.caller.add(() => call.caller.deliver(frame, { lane: call.lane }));
      return true;
    },
    acceptsAt: accepts,
    ...opens,
    ...(accepts === 'endpoint' ? { prepare } : {}),
  };
}

const openSession = async ({ request, notify }: SessionOpener): Promise<void> => {
  await request('initialize', { protocolVersion: '2025-11-25' });
  await notify('notifications/initialized', {}, { completesHandshake: true });
};

/** An endpoint takes requests only that say so themselves. */
const prepare = (message: JsonRpcMessage, envelope: SendOptions): OutgoingFrame => {
  if (!('method' in message)) return { message, options: envelope };
  const { params = {} } = message as { params?: JsonObject };
  return {
    message: {
      ...message,
      params: { ...params, _meta: { ...(params['_meta'] as JsonObject | undefined), alone: true } },
    } as typeof message,
    options: envelope,
  };
};

function dialledConnection(caller: Side, hub: Hub, parts: Parts): Connection {
  return {
    traits: caller.traits,
    start: (receiver) => ((caller.receiver = receiver), parts.start(caller)),
    send(out, envelope = {}) {
      const refused = refusal(caller, out, envelope);
      if (refused !== undefined) return Promise.reject(refused);
      const text = encode(out);
      const { id, method, params } = decode(text) as JsonObject;
      if (hub.accepts === 'session' && method === 'initialize') caller.served ??= parts.accept();
      const { served = new Side(perRequest) } = caller;
      const asks = id !== undefined && method !== undefined;
      const call = asks ? callOf(caller, served, id, envelope.lane ?? {}) : parts.replyLane(caller, envelope);
      if (asks && call !== undefined) hub.calls.push(call);
      const alone = (params as JsonObject | undefined)?.['_meta'] !== undefined;
      const isServed = caller.served !== undefined && !hub.stopped && (alone || hub.accepts !== 'endpoint');
      if (isServed) parts.post(served, text, envelope, call);
      else if (call !== undefined) parts.refuse(call);
      return acceptedImmediately;
    },
    endLane: (lane) => parts.endLane(caller, lane),
    async close() {
      for (const call of caller.calls.values()) {
        for (const taken of call.waiting.splice(0)) taken();
        parts.endLane(caller, call.lane);
      }
      parts.left(caller);
      caller.end();
    },
  };
}

function servedConnection(served: Side, hub: Hub, parts: Parts): Connection {
  return {
    traits: served.traits,
    start: (receiver) => ((served.receiver = receiver), parts.start(served)),
    send(out, envelope = {}) {
      const refused = refusal(served, out, envelope);
      if (refused !== undefined) return Promise.reject(refused);
      const text = encode(out);
      if (envelope.lane === undefined) return parts.push(served, text);
      const call = parts.callOf(served, envelope.lane, out);
      if (call === undefined) return acceptedImmediately;
      return parts.answer(call, text, !('method' in (decode(text) as JsonObject)));
    },
    endLane(lane) {
      const call = served.calls.get(lane);
      if (call !== undefined) parts.endCall(call);
    },
    async close() {
      for (const caller of hub.sides) if (caller.served === served) closeServed(caller);
    },
  };
}

/** Both sides of a connection end once everything has arrived that was sent. */
function closeServed(caller: Side): void {
  caller.served?.end();
  caller.add(() => caller.end());
}

function callOf(caller: Side, served: Side, id: unknown, lane: Lane): Call {
  const call = { id, caller, served, lane, theirs: {}, over: false, queued: 0, waiting: [], kept: undefined };
  caller.calls.set(lane, call);
  served.calls.set(call.theirs, call);
  return call;
}

function refusal(side: Side, out: OutgoingMessage, { signal }: SendOptions): TransportError | undefined {
  if (side.over) return failure('CLOSED');
  if (signal?.aborted === true) return failure('SEND_FAILED');
  const { length } = new TextEncoder().encode(encode(out));
  return length > side.traits.maxMessageBytes ? failure('TOO_LARGE') : undefined;
}
