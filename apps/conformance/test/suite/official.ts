import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';
import { bundled } from '../../../../vitest.bundle.js';
import { type Leashed, leashed } from './run-with-timeout.js';

const program = pathToFileURL(
  createRequire(import.meta.url).resolve('@modelcontextprotocol/conformance/dist/index.js'),
);

/** Longest run of the suite, in milliseconds: a set of scenarios against a server takes a few seconds. */
const limitMs = 120_000;

/** Runs the official suite, kept to this machine. */
export async function official(args: readonly string[]): Promise<Leashed> {
  return leashed([await bundled(program), ...args], limitMs, ['./loopback.mjs', './globs.mjs']);
}
