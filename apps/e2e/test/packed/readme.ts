import { packageName } from '../boundaries/layers.js';

/**
 * What a README promises by its titled code blocks: `js title="example.mjs"` (or `ts title="example.ts"`) is run,
 * `text title="output"` is what it prints, and any other title is a file next to the example.
 */
export interface ReadmePromise {
  /** Packages that the first `npm i` or `npm install` line names. */
  readonly install: readonly string[];
  readonly example: 'example.mjs' | 'example.ts';
  readonly files: ReadonlyMap<string, string>;
  readonly output: string;
}

/** Reads the promise of a README, or throws an error that says what the README lacks. */
export function readPromise(readme: string): ReadmePromise {
  const blocks = titledBlocks(readme);
  const output = blocks.get('output');
  const files = new Map([...blocks].filter(([title]) => title !== 'output'));
  const example = (['example.mjs', 'example.ts'] as const).find((title) => files.has(title));
  const install = installLine(readme);
  if (install === undefined) throw new Error('the README has no `npm i ...` line');
  if (example === undefined)
    throw new Error('the README has no block with title="example.mjs" or "example.ts"');
  if (output === undefined) throw new Error('the README has no block with title="output"');
  return { install, example, files, output };
}

function titledBlocks(readme: string): Map<string, string> {
  const fences = readme.matchAll(/^```\w+ title="([^"]+)"\n(.*?)^```$/gms);
  return new Map([...fences].map(([, title = '', text = '']) => [title, text]));
}

function installLine(readme: string): string[] | undefined {
  const line = /^(?:\$ )?npm (?:i|install) (.+)$/m.exec(readme)?.[1];
  return line
    ?.replace(/#.*/, '')
    .split(/\s+/)
    .filter((word) => word !== '' && !word.startsWith('-'))
    .map((word) => packageName(word.replace(/(?<=.)@.*/, '')));
}
