import type { Difference } from '../replay/compare.js';
import { compare } from '../replay/compare.js';
import { Ids } from '../replay/ids.js';
import { ReplayError } from '../replay/replay-error.js';
import { named, saidBy, toldApart } from '../replay/told-apart.js';
import type { Frame, Recording, Side } from '../wire/recording.js';
import { otherSide } from '../wire/recording.js';

/** Throws the first difference of a recording and what was drawn. */
export function alike(recording: Recording, drawn: readonly Frame[], isTimed: boolean): void {
  const names = { client: new Ids(), server: new Ids() };
  const lanes = new Map<number, number>();
  const firstAt = recording.frames[0]?.at ?? 0;
  const isShown = ({ type }: Frame): boolean => type !== 'opened';
  const [got, wanted] = [recording.frames.filter(isShown), drawn.filter(isShown)];
  for (const [index, expected] of wanted.entries()) {
    const actual = got[index];
    if (actual === undefined) {
      const about = { expected: saidBy(expected), index: index + 1, path: '', actual };
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
    const message = `frame ${index + 1} differs at ${path}: ${toldApart(difference.expected, difference.actual, 'drawn')}`;
    throw new ReplayError('FRAME_DIFFERS', message, { ...difference, index: index + 1 });
  }
  const extra = got[wanted.length];
  const { lost } = recording;
  if (extra === undefined && lost === 0) return;
  const about = { expected: undefined, index: -1, path: '', actual: extra && saidBy(extra) };
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
  if (expected.type === 'left' && actual.type === 'left')
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

/** A lane that is drawn is one that was recorded, always the same and of nobody else. */
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
