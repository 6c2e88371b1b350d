import { parseArgs } from 'node:util';

/** Reads `--port PORT`, 0 for a free one. Undefined for anything else. */
export function portOf(args: readonly string[]): number | undefined {
  try {
    const { port = '' } = parseArgs({ args: [...args], options: { port: { type: 'string' } } }).values;
    return /^\d{1,5}$/.test(port) && Number(port) < 2 ** 16 ? Number(port) : undefined;
  } catch {
    return undefined;
  }
}
