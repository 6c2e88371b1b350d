import { parseArgs } from 'node:util';

const parts = [
  'stdio',
  'memory',
  'bridge',
  'gateway',
  'http',
  'fetch',
  'ws',
  'sse',
  'sessions',
  'await',
  'helpers',
  'auth',
  'charge',
  'start',
  'cli',
  'types',
] as const;

/** A part of the bench that can be run alone. */
export type Part = (typeof parts)[number];

/** What the command line asks for. */
export interface Options {
  readonly only: Part | undefined;
  readonly quick: boolean;
}

/** The command line, explained. */
export const usage = `usage: npm run bench -- [--only ${parts.join('|')}] [--quick]`;

/** Reads the command line. Throws for what it does not know. */
export function parseOptions(args: readonly string[]): Options {
  const { values } = parseArgs({
    // npm and pnpm differ in whether they hand the separator on.
    args: args.filter((arg) => arg !== '--'),
    options: { only: { type: 'string' }, quick: { type: 'boolean', default: false } },
  });
  const { only, quick } = values;
  const part = parts.find((name) => name === only);
  if (only !== part) throw new Error(`--only takes ${parts.join(', ')}, not "${only}"`);
  return { only: part, quick };
}
