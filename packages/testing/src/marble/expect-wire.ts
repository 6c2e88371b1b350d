import type { Transport } from '../end.js';
import { compare } from '../replay/compare.js';
import { Ids } from '../replay/ids.js';
import { Player } from '../replay/player.js';
import { ReplayError } from '../replay/replay-error.js';
import { named, saidBy, toldApart } from '../replay/told-apart.js';
import type { Acceptor } from '../wire/record.js';
import type { Frame, RecordedTraits, Recording, Side } from '../wire/recording.js';
import type { DrawnFrames } from './diagram.js';
import { connectionOf } from './diagram.js';

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
    const over = Promise.resolve().then(() => alike(subject.frames, frames, isTimed));
    return { over, giveUp: () => undefined };
  }
  const manner = {
    plays,
    strict: true,
    how: 'drawn',
    pace: isTimed ? 'exact' : 'none',
    openEnd: false,
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

function alike(recorded: readonly Frame[], drawn: readonly Frame[], isTimed: boolean): void {
  const ids = new Ids();
  const firstAt = recorded[0]?.at ?? 0;
  const [got, wanted] = [recorded, drawn].map((frames) => frames.filter(({ type }) => type !== 'opened'));
  for (const [index, expected] of (wanted ?? []).entries()) {
    const actual = got?.[index];
    if (actual === undefined) {
      const about = { expected: saidBy(expected), index: index + 1, path: '', actual };
      const message = `the recording ends before frame ${index + 1}: ${named(expected)}`;
      throw new ReplayError('FRAME_MISSING', message, about);
    }
    const differs = (path: string, drawn: unknown, came: unknown): never => {
      const message = `frame ${index + 1} differs at ${path}: ${toldApart(drawn, came, 'drawn')}`;
      throw new ReplayError('FRAME_DIFFERS', message, {
        expected: drawn,
        index: index + 1,
        path,
        actual: came,
      });
    };
    const [wantedAt, at] = [Math.round(expected.at), Math.round(actual.at - firstAt)];
    if (isTimed && at !== wantedAt) differs('at', wantedAt, at);
    if (actual.type !== expected.type) differs('type', expected.type, actual.type);
    if ('from' in actual && 'from' in expected && actual.from !== expected.from)
      differs('from', expected.from, actual.from);
    if (actual.type !== 'message' || expected.type !== 'message') continue;
    const difference = compare(expected.message, actual.message, ids, 'drawn');
    if (difference !== undefined) differs(difference.path, difference.expected, difference.actual);
  }
  const extra = got?.[wanted?.length ?? 0];
  if (extra === undefined) return;
  const about = { expected: undefined, index: -1, path: '', actual: saidBy(extra) };
  throw new ReplayError('FRAME_UNEXPECTED', `nothing more was drawn, and this came: ${named(extra)}`, about);
}
