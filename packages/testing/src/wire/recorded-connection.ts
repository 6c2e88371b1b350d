import type { JsonObject } from '@rxmcp/core';
import type { Connection, Outgoing } from '../end.js';
import type { RecordedTraits, Side } from './recording.js';
import { otherSide } from './recording.js';
import type { Tape } from './tape.js';

/** A connection that writes what passes it on a tape. `own` is the side that holds this end of it. */
export function recorded(connection: Connection, own: Side, tape: Tape): Connection {
  const number = tape.next();
  const other = otherSide(own);
  const lanes = new Map<object, number>();
  /** Lanes whose request has no answer yet. */
  const open = new Set<number>();
  let laneCount = 0;
  let isOver = false;
  const laneOf = (lane: object | undefined): { lane?: number } => {
    if (lane === undefined) return {};
    let found = lanes.get(lane);
    if (found === undefined) lanes.set(lane, (found = laneCount += 1));
    return { lane: found };
  };
  const message = (from: Side, given: unknown, on: object | undefined): void => {
    const { lane } = laneOf(on);
    if (lane !== undefined) {
      for (const one of [given].flat()) {
        if (typeof one !== 'object' || one === null) continue;
        const { method, id } = one as JsonObject;
        if (method !== undefined && id !== undefined) open.add(lane);
        else if (method === undefined) open.delete(lane);
      }
    }
    const placed = lane === undefined ? {} : { lane };
    tape.take({ type: 'message', connection: number, from, message: given as JsonObject, ...placed });
  };
  const left = (from: Side, on: object): void => {
    const { lane = 0 } = laneOf(on);
    lanes.delete(on);
    // After its answer a lane ends anyway.
    if (open.delete(lane)) tape.take({ type: 'left', connection: number, from, lane });
  };
  const closed = (from: Side, error?: Error): void => {
    if (isOver) return;
    isOver = true;
    const told = error === undefined ? {} : { error: { code: codeOf(error), message: error.message } };
    tape.take({ type: 'closed', connection: number, from, ...told });
  };
  tape.take({ type: 'opened', connection: number, traits: traitsOf(connection.traits) });
  return {
    traits: connection.traits,
    start: (receiver) =>
      connection.start({
        received(incoming, arrival) {
          message(other, incoming, arrival?.lane);
          receiver.received(incoming, arrival);
        },
        laneClosed(lane, error) {
          left(other, lane);
          receiver.laneClosed(lane, error);
        },
        fault: (error) => receiver.fault(error),
        closed(error) {
          closed(other, error);
          receiver.closed(error);
        },
      }),
    send(out, envelope) {
      message(own, messageOf(out), envelope?.lane);
      return connection.send(out, envelope);
    },
    endLane(lane) {
      left(own, lane);
      connection.endLane(lane);
    },
    close() {
      closed(own);
      return connection.close();
    },
  };
}

function messageOf(out: Outgoing): unknown {
  return 'text' in out ? JSON.parse(out.text) : out;
}

function codeOf(error: Error): string {
  return 'code' in error ? String(error.code) : error.name;
}

/** An unbounded size is no JSON, and who called is nobody's business. */
function traitsOf({
  maxMessageBytes,
  principal: _principal,
  ...traits
}: Connection['traits']): RecordedTraits {
  return Number.isFinite(maxMessageBytes) ? { ...traits, maxMessageBytes } : traits;
}
