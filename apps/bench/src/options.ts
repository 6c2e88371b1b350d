import { parseArgs } from 'node:util';

/** What the command line asks for. */
export interface Options {
  readonly only: 'stdio' | 'memory' | undefined;
  readonly quick: boolean;
}

/** The command line, explained. */
export const usage = 'usage: npm run bench -- [--only stdio|memory] [--quick]';

/** Reads the command line. Throws for what it does not know. */
export function optionsOf(args: readonly string[]): Options {
  const { values } = parseArgs({
    // npm and pnpm differ in whether they hand the separator on.
    args: args.filter((arg) => arg !== '--'),
    options: { only: { type: 'string' }, quick: { type: 'boolean', default: false } },
  });
  const { only, quick } = values;
  if (only !== undefined && only !== 'stdio' && only !== 'memory') {
    throw new Error(`--only takes stdio or memory, not "${only}"`);
  }
  return { only, quick };
}
