import type { DiagramFrame, DiagramFrames } from '../marble/diagram.js';
import { rejectUnknownOptions } from '@rxmcp/core/internal';
import type { Frame, Recording } from '../wire/recording.js';
import { type RecordingSlice, sliceOf } from './slice.js';

/** Options of {@link exportTest}. */
export interface ExportTestOptions extends RecordingSlice {
  /** The title of the test. */
  readonly name: string;
  /**
   * The export under test: a server, or a function that takes a transport and dials it.
   * @example { import: 'server', from: '../src/server.js' }
   */
  readonly subject: { readonly import: string; readonly from: string };
  /** Whether the times of frames are compared. @default true if they were virtual */
  readonly checkTimes?: boolean;
}

const knownOptions: Record<keyof ExportTestOptions, true> = {
  connection: true,
  startMs: true,
  endMs: true,
  name: true,
  subject: true,
  checkTimes: true,
};

/**
 * Writes a part of a recording as a marble test for vitest. For a server, the test plays the recorded client; for a function, it
 * plays the recorded server. The test fails at the first frame that differs. A function always runs from its start, so its part
 * must include the beginning of the recording.
 *
 * @example
 * const subject = { import: 'server', from: './server.js' };
 * await writeFile('greets.test.js', exportTest(recording, { name: 'greets', subject }));
 */
export function exportTest(recording: Recording, options: ExportTestOptions): string {
  rejectUnknownOptions('exportTest', options, knownOptions, {
    fromMs: 'startMs',
    toMs: 'endMs',
    timed: 'checkTimes',
  });
  const { name, subject, checkTimes = recording.time === 'virtual' } = options;
  const part = sliceOf(recording, options);
  const { diagram, frames } = drawn(part);
  const opened = part.find(({ type }) => type === 'opened');
  // Bound to one name, so that whatever the export is called cannot be in the way.
  const imported =
    subject.import === 'default'
      ? `import subject from ${quoted(subject.from)};`
      : `import { ${subject.import} as subject } from ${quoted(subject.from)};`;
  const letters = Object.entries(frames).map(([letter, frame]) => `  ${quoted(letter)}: ${written(frame)},`);
  return [
    "import { wireMarbles } from '@rxmcp/testing';",
    "import { it } from 'vitest';",
    imported,
    '',
    ...(recording.lost === 0
      ? []
      : [`// The recording was full: ${recording.lost} later frames are not in it.`]),
    `const traits = ${json(opened?.type === 'opened' ? opened.traits : {})};`,
    'const frames = {',
    ...letters,
    '};',
    '',
    `it(${quoted(name)}, () =>`,
    '  wireMarbles(({ expectWire }) => {',
    `    expectWire(subject, traits).${checkTimes ? 'toBe' : 'toBeInOrder'}(${quoted(diagram)}, frames);`,
    '  }));',
    '',
  ].join('\n');
}

function written(frame: DiagramFrame): string {
  if (!Array.isArray(frame)) return json(frame);
  return `[\n${(frame as readonly DiagramFrame[]).map((one) => `    ${json(one)},\n`).join('')}  ]`;
}

/** What is data in JSON but means something else in a literal: `__proto__` as a member would set the prototype. */
function json(value: unknown): string {
  return JSON.stringify(value)
    .replaceAll(/(?<=[{,])"__proto__":/g, '["__proto__"]:')
    .replaceAll('\u2028', '\\u2028')
    .replaceAll('\u2029', '\\u2029');
}

function quoted(text: string): string {
  return `'${JSON.stringify(text).slice(1, -1).replaceAll('\\"', '"').replaceAll("'", "\\'")}'`;
}

/** Draws the frames of one connection: one letter for each millisecond in which something passes. */
export function drawn(frames: readonly Frame[]): {
  readonly diagram: string;
  readonly frames: DiagramFrames;
} {
  const beganAt = Math.round(frames[0]?.at ?? 0);
  const instants = new Map<number, Frame[]>();
  for (const frame of frames) {
    if (frame.type === 'opened') continue;
    const at = Math.round(frame.at) - beganAt;
    instants.set(at, [...(instants.get(at) ?? []), frame]);
  }
  const letters: Record<string, DiagramFrame> = {};
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
      letter = alphabet[count] ?? String.fromCodePoint(0x20000 + count);
      count += 1;
      letters[letter] = said.length === 1 ? (said[0] as DiagramFrame) : said;
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

function frameOf(frame: Frame): DiagramFrame[] {
  // The server's close has no sign of its own.
  if (frame.type === 'closed') return signOf(frame) === '' ? [{ closed: frame.from }] : [];
  if (frame.type === 'lane-closed') return [{ left: frame.from, lane: frame.lane }];
  if (frame.type !== 'message') return [];
  const lane = frame.lane === undefined ? {} : { lane: frame.lane };
  return [frame.from === 'client' ? { client: frame.message, ...lane } : { server: frame.message, ...lane }];
}

function gap(ms: number): string {
  return ms <= 5 ? '-'.repeat(ms) : ` ${ms}ms `;
}

/** Followed by ideographs: there are enough of them, and none is white space or a sign of the grammar. */
const alphabet = 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ';
