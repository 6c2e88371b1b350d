import { createRequire } from 'node:module';
import { type Leashed, leashed } from './run-with-timeout.js';

const program = createRequire(import.meta.url).resolve('@modelcontextprotocol/conformance/dist/index.js');

/** Longest run of the suite, in milliseconds: a set of scenarios against a server takes a few seconds. */
const limitMs = 120_000;

/** Runs the official suite, kept to this machine. */
export function official(args: readonly string[]): Leashed {
  return leashed([program, ...args], limitMs, ['./loopback.mjs', './globs.mjs']);
}
