import type { Transport } from '../end.js';
import { Player } from '../replay/player.js';
import type { Acceptor } from '../wire/record.js';
import type { RecordedTraits, Recording, Side } from '../wire/recording.js';
import type { DrawnFrames } from './diagram.js';
import { connectionOf } from './diagram.js';
import { alike } from './expect-recording.js';

/** Who is held against a diagram: a server, code that dials one, or a recording. */
export type WireSubject = Acceptor | ((transport: Transport) => unknown) | Recording;

/** One comparison that runs. */
export interface Running {
  /** Rejects with the first difference. */
  readonly over: Promise<void>;
  /** Nothing more will happen: what is open is missing. */
  giveUp(): void;
}

/** Holds a subject against a diagram: it is one side of the wire, the diagram plays the other. */
export function comparing(
  subject: WireSubject,
  diagram: string,
  drawn: DrawnFrames,
  traits: RecordedTraits,
  isTimed: boolean,
): Running {
  const plays: Side = 'accept' in subject ? 'client' : 'server';
  const { frames, lengthMs } = connectionOf(diagram, drawn, plays, traits);
  if ('frames' in subject) {
    if (new Set(subject.frames.map(({ connection }) => connection)).size > 1)
      throw new TypeError('a diagram is of one connection, and the recording has several');
    const over = Promise.resolve().then(() => alike(subject, frames, isTimed));
    return { over, giveUp: () => undefined };
  }
  const manner = {
    plays,
    strict: true,
    how: 'drawn',
    pace: isTimed ? 'exact' : 'none',
    openEnd: false,
    until: 'quiet',
  } as const;
  const player = new Player([...frames.entries()], manner);
  const run = async (): Promise<void> => {
    const end = isTimed ? new Promise((resolve) => setTimeout(resolve, lengthMs)) : undefined;
    const served = 'accept' in subject ? subject.accept(player) : undefined;
    const work =
      served === undefined ? dialling(subject as (transport: Transport) => unknown, player) : undefined;
    try {
      await Promise.race([
        player.finished,
        failureOf(work),
        end?.then(() => player.missing('the diagram ended')),
      ]);
      await player.finished;
      await work;
      await end;
    } catch (error) {
      // The code fails since its connection was lost, and that was lost for a difference.
      throw player.difference ?? error;
    } finally {
      await player.close();
      await served?.closed;
    }
    // What came when all was said.
    if (player.difference !== undefined) throw player.difference;
  };
  return { over: run(), giveUp: () => player.missing('nothing more happened') };
}

function dialling(code: (transport: Transport) => unknown, player: Player): Promise<unknown> {
  const transport: Transport = { name: 'marbles', dial: () => Promise.resolve(player) };
  return Promise.resolve().then(() => code(transport));
}

/** Never resolves. */
function failureOf(work: Promise<unknown> | undefined): Promise<never> {
  return new Promise((_resolve, reject) => work?.catch(reject));
}
