import { TransportError } from '@rxmcp/core';
import type { Transport } from '../in-process/in-process-link.js';
import type { ConnectionHandler } from '../wire/record.js';
import type { Frame, Recording, Side } from '../wire/recording.js';
import { type ReplayMode, Player } from './player.js';

/** Options of a replay. */
export interface ReplayOptions {
  /**
   * Whether the live party must send the same frames in the same order. If false, its frames may come in any order and hold more
   * than was recorded (members of objects, and entries of arrays anywhere); `_meta` and notifications that were not recorded
   * are ignored.
   * @default true
   */
  readonly strict?: boolean;
  /** When the played side sends: as soon as its turn comes, or at the recorded times, for virtual time. @default 'none' */
  readonly pace?: 'none' | 'recorded';
}

/** A recorded server, as a transport. */
export interface ReplayedServer {
  readonly transport: Transport;
  /**
   * Resolves when all recorded frames have passed and the client has closed, since it may send more until then. Rejects
   * with a ReplayError of the first difference.
   */
  readonly done: Promise<void>;
}

/**
 * Plays the server of a recording to a live client. Each dial is one recorded connection. Ids, progress tokens and `requestState`
 * may differ. At the first difference the connection is lost, with a {@link ReplayError} as its cause.
 *
 * @example
 * const { transport, done } = replayAsServer(recording);
 * const remote = await client.connect(transport);
 * await myCode(remote);
 * await remote.close();
 * await done;
 */
export function replayAsServer(recording: Recording, options: ReplayOptions = {}): ReplayedServer {
  const players = playersOf(recording, 'server', options).map(([, player]) => player);
  const all = Promise.all(players.map(({ finished }) => finished)).then(() => undefined);
  all.catch(() => undefined);
  let dialled = 0;
  const dial: Transport['dial'] = () => {
    const player = players[dialled];
    dialled += 1;
    if (player !== undefined) return Promise.resolve(player);
    return Promise.reject(
      new TransportError('DIAL_FAILED', `only ${players.length} connections were recorded`, {
        outcome: 'not-sent',
      }),
    );
  };
  return { transport: { name: 'replay', dial }, done: all };
}

/**
 * Plays the client of a recording to a live server. Resolves when all recorded frames have passed and the server had a
 * turn to send more; rejects with a {@link ReplayError} of the first difference.
 */
export async function replayAsClient(
  recording: Recording,
  server: ConnectionHandler,
  options: ReplayOptions = {},
): Promise<void> {
  await Promise.all(
    playersOf(recording, 'client', options).map(async ([opened, player]) => {
      if (options.pace === 'recorded') await new Promise((resolve) => setTimeout(resolve, opened.at));
      const served = server.accept(player);
      try {
        await player.finished;
      } finally {
        await player.close();
        await served.closed;
      }
      // Frames that arrived after the last recorded one.
      if (player.difference !== undefined) throw player.difference;
    }),
  );
}

/** One player per connection. */
function playersOf(
  { frames, lost }: Recording,
  plays: Side,
  { strict = true, pace = 'none' }: ReplayOptions,
): [opened: Frame, player: Player][] {
  if (frames.length === 0) throw new TypeError('the `recording` has no frames');
  const manner: ReplayMode = {
    plays,
    strict,
    how: strict ? 'strict' : 'lenient',
    pace,
    openEnd: lost > 0,
    until: plays === 'server' ? 'closed' : 'quiet',
  };
  const byConnection = new Map<number, [number, Frame][]>();
  for (const [index, frame] of frames.entries()) {
    const steps = byConnection.get(frame.connection) ?? [];
    byConnection.set(frame.connection, [...steps, [index, frame]]);
  }
  return [...byConnection.values()].map((steps) => [
    (steps[0] as [number, Frame])[1],
    new Player(steps, manner),
  ]);
}
