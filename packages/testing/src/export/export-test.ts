import type { DrawnFrame } from '../marble/diagram.js';
import type { Recording } from '../wire/recording.js';
import { drawn } from './draw.js';
import type { Slice } from './slice.js';
import { sliceOf } from './slice.js';

/** Options of {@link exportTest}. */
export interface ExportOptions extends Slice {
  /** What the test says it is about. */
  readonly name: string;
  /**
   * What is tested, as the test imports it: a server, or a function that takes a transport and dials it.
   * @example { import: 'server', from: '../src/server.js' }
   */
  readonly subject: { readonly import: string; readonly from: string };
  /** Whether the milliseconds count. @default whether they were virtual */
  readonly timed?: boolean;
}

/**
 * Writes a part of a recording as a marble test for vitest. With a server as its subject the test plays the client of the
 * recording, with a function its server; it fails with the first frame that differs. A function does all that it does: of its
 * recording the part without the beginning is no test.
 *
 * @example
 * const subject = { import: 'server', from: './server.js' };
 * await writeFile('greets.test.js', exportTest(recording, { name: 'greets', subject }));
 */
export function exportTest(recording: Recording, options: ExportOptions): string {
  const { name, subject, timed = recording.time === 'virtual' } = options;
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
    `    expectWire(subject, traits).${timed ? 'toBe' : 'toFollow'}(${quoted(diagram)}, frames);`,
    '  }));',
    '',
  ].join('\n');
}

function written(frame: DrawnFrame): string {
  if (!Array.isArray(frame)) return json(frame);
  return `[\n${(frame as readonly DrawnFrame[]).map((one) => `    ${json(one)},\n`).join('')}  ]`;
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
