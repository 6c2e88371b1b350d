import type { Transport } from '../in-process/in-process-link.js';
import { type Difference, compare } from '../replay/compare.js';
import { Ids } from '../replay/ids.js';
import { Player } from '../replay/player.js';
import { named, ReplayError, frameMessage, describeDifference } from '../replay/describe-difference.js';
import type { ConnectionHandler } from '../wire/record.js';
import { type Frame, type RecordedTraits, type Recording, type Side, otherSide } from '../wire/recording.js';
import { type DiagramFrames, connectionOf } from './diagram.js';

/** The subject of a comparison with a diagram: a server, code that dials one, or a recording. */
export type WireSubject = ConnectionHandler | ((transport: Transport) => unknown) | Recording;

/** A running comparison. */
export interface Running {
  /** Rejects with the first difference. */
  readonly over: Promise<void>;
  /** Reports that nothing more will happen: open frames are missing. */
  giveUp(): void;
}

/** Compares a subject with a diagram: the subject is one side of the connection, the diagram plays the other. */
export function comparing(
  subject: WireSubject,
  diagram: string,
  drawn: DiagramFrames,
  traits: RecordedTraits,
  isTimed: boolean,
): Running {
  const plays: Side = 'accept' in subject ? 'client' : 'server';
  const { frames, lengthMs } = connectionOf(diagram, drawn, plays, traits);
  if ('frames' in subject) {
    if (new Set(subject.frames.map(({ connection }) => connection)).size > 1)
      throw new TypeError('`expectWire` compares one connection, and the recording has several');
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
    // Frames that arrived after the last drawn one.
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

/** Throws the first difference of a recording and what was drawn. */
function alike(recording: Recording, drawn: readonly Frame[], isTimed: boolean): void {
  const names = { client: new Ids(), server: new Ids() };
  const lanes = new Map<number, number>();
  const firstAt = recording.frames[0]?.at ?? 0;
  const isShown = ({ type }: Frame): boolean => type !== 'opened';
  const [got, wanted] = [recording.frames.filter(isShown), drawn.filter(isShown)];
  for (const [index, expected] of wanted.entries()) {
    const actual = got[index];
    if (actual === undefined) {
      const about = { expected: frameMessage(expected), index: index + 1, path: '', actual };
      const message = `the recording ends before frame ${index + 1}: ${named(expected)}`;
      throw new ReplayError('FRAME_MISSING', message, about);
    }
    const times = [Math.round(expected.at), Math.round(actual.at - firstAt)] as const;
    const difference =
      isTimed && times[0] !== times[1]
        ? { path: 'at', expected: times[0], actual: times[1] }
        : unlike(expected, actual, names, lanes);
    if (difference === undefined) continue;
    const { path } = difference;
    const message = `frame ${index + 1} differs at ${path}: ${describeDifference(difference.expected, difference.actual, 'drawn')}`;
    throw new ReplayError('FRAME_DIFFERS', message, { ...difference, index: index + 1 });
  }
  const extra = got[wanted.length];
  const { lost } = recording;
  if (extra === undefined && lost === 0) return;
  const about = { expected: undefined, index: -1, path: '', actual: extra && frameMessage(extra) };
  const came =
    extra === undefined ? `${lost} frames that were lost since the recording was full` : named(extra);
  throw new ReplayError('FRAME_UNEXPECTED', `nothing more was drawn, and this came: ${came}`, about);
}

/** Both sides may call things otherwise, each in its own words: what one says of the other's is in the other's. */
function unlike(
  expected: Frame,
  actual: Frame,
  names: Readonly<Record<Side, Ids>>,
  lanes: Map<number, number>,
): Difference | undefined {
  const differs = (path: string, drawn: unknown, came: unknown): Difference | undefined =>
    drawn === came ? undefined : { path, expected: drawn, actual: came };
  if (expected.type === 'closed' && actual.type === 'closed') {
    const isLost = expected.error !== undefined;
    if (isLost !== (actual.error !== undefined)) return differs('error', expected.error, actual.error);
    // A connection is lost to both.
    return isLost ? undefined : differs('from', expected.from, actual.from);
  }
  if (expected.type === 'lane-closed' && actual.type === 'lane-closed')
    return differs('from', expected.from, actual.from) ?? unlikeLane(expected.lane, actual.lane, lanes);
  if (expected.type !== 'message' || actual.type !== 'message')
    return differs('type', expected.type, actual.type);
  const message = names[otherSide(expected.from)].translated(expected.message);
  return (
    differs('from', expected.from, actual.from) ??
    unlikeLane(expected.lane, actual.lane, lanes) ??
    compare(message, actual.message, names[expected.from], 'drawn')
  );
}

/** Each drawn lane must correspond to exactly one recorded lane. */
function unlikeLane(
  drawn: number | undefined,
  came: number | undefined,
  lanes: Map<number, number>,
): Difference | undefined {
  if (drawn === undefined) return undefined;
  const known = lanes.get(drawn);
  const isNew = known === undefined && came !== undefined && ![...lanes.values()].includes(came);
  if (isNew) lanes.set(drawn, came);
  else if (known !== came || came === undefined) return { path: 'lane', expected: drawn, actual: came };
  return undefined;
}
