import type { Server } from '@rxmcp/core';
import type { Transport } from '../end.js';
import { recorded } from './recorded-connection.js';
import type { Recording } from './recording.js';
import type { RecordOptions } from './tape.js';
import { Tape } from './tape.js';

/** What takes connections, such as a server. */
export type Acceptor = Pick<Server, 'accept'>;

/** A recording that is being made. */
export interface Recorder<T> {
  /** To be used in place of what is recorded. */
  readonly recorded: T;
  /** What passed so far. */
  recording(): Recording;
}

/**
 * Records what passes a transport, or what a server is asked over any transport: messages with their times, ways that are left,
 * ends. Under {@link virtualTime} the times are virtual and the same in every run.
 *
 * @example
 * const wire = record(stdio({ command: 'node', args: ['server.js'] }));
 * const remote = await client.connect(wire.recorded);
 * // ...
 * await writeFile('session.json', JSON.stringify(wire.recording()));
 */
export function record(transport: Transport, options?: RecordOptions): Recorder<Transport>;
export function record(server: Acceptor, options?: RecordOptions): Recorder<Acceptor>;
export function record(
  given: Transport | Acceptor,
  options: RecordOptions = {},
): Recorder<Transport> | Recorder<Acceptor> {
  const tape = new Tape(options);
  const recording = (): Recording => tape.recording();
  if ('dial' in given) {
    const dial: Transport['dial'] = async (how) => recorded(await given.dial(how), 'client', tape);
    return { recorded: { name: `record(${given.name})`, dial }, recording };
  }
  const accept: Acceptor['accept'] = (connection) => given.accept(recorded(connection, 'server', tape));
  return { recorded: { accept }, recording };
}
