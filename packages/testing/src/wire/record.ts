import type { JsonObject, Server } from '@rxmcp/core';
import type { Connection, Transport } from '../in-process/in-process-link.js';
import { type RecordedTraits, type Recording, type Side, otherSide } from './recording.js';
import { type RecordOptions, RecordingBuffer } from './recording-buffer.js';

/** A handler of connections, such as a server. */
export type ConnectionHandler = Pick<Server, 'accept'>;

/** A recording in progress. */
export interface Recorder<T> {
  /** The recorded transport or server: use it in place of the original. */
  readonly recorded: T;
  /** Returns the recording so far. */
  recording(): Recording;
}

/**
 * Records the connections of a transport, or of a server over any transport: messages with their times, ended lanes and
 * closes. Under {@link virtualTime} the times are virtual and the same in every run.
 *
 * @example
 * const wire = record(stdio({ command: 'node', args: ['server.js'] }));
 * const remote = await client.connect(wire.recorded);
 * // ...
 * await writeFile('session.json', JSON.stringify(wire.recording()));
 */
export function record(transport: Transport, options?: RecordOptions): Recorder<Transport>;
export function record(server: ConnectionHandler, options?: RecordOptions): Recorder<ConnectionHandler>;
export function record(
  given: Transport | ConnectionHandler,
  options: RecordOptions = {},
): Recorder<Transport> | Recorder<ConnectionHandler> {
  const tape = new RecordingBuffer(options);
  const recording = (): Recording => tape.recording();
  if ('dial' in given) {
    const dial: Transport['dial'] = async (how) => recorded(await given.dial(how), 'client', tape);
    return { recorded: { name: `record(${given.name})`, dial }, recording };
  }
  const accept: ConnectionHandler['accept'] = (connection) =>
    given.accept(recorded(connection, 'server', tape));
  return { recorded: { ...given, accept }, recording };
}

/** A connection that records its messages. `own` is the side that holds this end of it. */
function recorded(connection: Connection, own: Side, tape: RecordingBuffer): Connection {
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
    if (open.delete(lane)) tape.take({ type: 'lane-closed', connection: number, from, lane });
  };
  const closed = (from: Side, error?: Error): void => {
    if (isOver) return;
    isOver = true;
    const failure = error === undefined ? {} : { error: { code: codeOf(error), message: error.message } };
    tape.take({ type: 'closed', connection: number, from, ...failure });
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
      message(own, 'text' in out ? JSON.parse(out.text) : out, envelope?.lane);
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

function codeOf(error: Error): string {
  return 'code' in error ? String(error.code) : error.name;
}

/** Infinity is not JSON, and what is known of the peer is private. */
function traitsOf({
  maxMessageBytes,
  principal: _principal,
  claims: _claims,
  scopes: _scopes,
  ...traits
}: Connection['traits']): RecordedTraits {
  return Number.isFinite(maxMessageBytes) ? { ...traits, maxMessageBytes } : traits;
}
