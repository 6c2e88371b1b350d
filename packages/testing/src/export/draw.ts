import type { DrawnFrame, DrawnFrames } from '../marble/diagram.js';
import type { Frame } from '../wire/recording.js';

/** Draws the frames of one connection: one letter for each millisecond in which something passes. */
export function drawn(frames: readonly Frame[]): { readonly diagram: string; readonly frames: DrawnFrames } {
  const beganAt = Math.round(frames[0]?.at ?? 0);
  const instants = new Map<number, Frame[]>();
  for (const frame of frames) {
    if (frame.type === 'opened') continue;
    const at = Math.round(frame.at) - beganAt;
    instants.set(at, [...(instants.get(at) ?? []), frame]);
  }
  const letters: Record<string, DrawnFrame> = {};
  let count = 0;
  const words: string[] = [];
  let cursor = 0;
  for (const [at, all] of instants) {
    if (at > cursor) words.push(gap(at - cursor));
    const end = all.find(({ type }) => type === 'closed');
    const said = all.flatMap(frameOf);
    const sign = signOf(end);
    let letter = '';
    if (said.length > 0) {
      letter = letterOf(count);
      count += 1;
      letters[letter] = said.length === 1 ? (said[0] as DrawnFrame) : said;
    }
    words.push(letter !== '' && sign !== '' ? `(${letter}${sign})` : letter + sign);
    cursor = at + 1;
    if (end !== undefined) break;
  }
  return { diagram: words.join('').replaceAll('  ', ' ').trim(), frames: letters };
}

function signOf(end: Frame | undefined): string {
  if (end?.type !== 'closed') return '';
  if (end.error !== undefined) return '#';
  return end.from === 'client' ? '|' : '';
}

function frameOf(frame: Frame): DrawnFrame[] {
  // The server's close has no sign of its own.
  if (frame.type === 'closed') return signOf(frame) === '' ? [{ closed: frame.from }] : [];
  if (frame.type === 'left') return [{ left: frame.from, lane: frame.lane }];
  if (frame.type !== 'message') return [];
  const lane = frame.lane === undefined ? {} : { lane: frame.lane };
  return [frame.from === 'client' ? { client: frame.message, ...lane } : { server: frame.message, ...lane }];
}

function gap(ms: number): string {
  return ms <= 5 ? '-'.repeat(ms) : ` ${ms}ms `;
}

const alphabet = 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ';

function letterOf(place: number): string {
  // Ideographs: there are enough of them, and none is white space or a sign of the grammar.
  return alphabet[place] ?? String.fromCodePoint(0x20000 + place);
}
