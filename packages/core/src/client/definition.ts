import type { JsonObject } from '@rxmcp/jsonrpc';
import type { Implementation } from '../context.js';
import type { Gathered } from '../capabilities.js';
import type { Interceptor } from '../interceptors/interceptor.js';
import type { Versions } from '../eras/versions.js';
import type { Patience } from '../peer/calls.js';
import type { Limits } from '../server/limits.js';
import type { MeterSource } from '../stats/stats.js';
import type { Answers } from './answers.js';

/** What all remotes of one client description share. */
export interface ClientCore extends Gathered {
  readonly info: Implementation;
  /** How the offers are answered; undefined = none of them answers anything. */
  readonly answers: Answers | undefined;
  readonly versions: Versions;
  /** What a server of the modern era is told: there roots do not announce changes. */
  readonly modernCapabilities: JsonObject;
  readonly patience: Patience;
  readonly probeMs: number;
  readonly limits: Limits;
  /** Around each logical call; undefined = none. */
  readonly interceptors: readonly Interceptor[] | undefined;
  /** Around each request on the wire; undefined = none. */
  readonly perAttempt: readonly Interceptor[] | undefined;
  /** Makes what counts for each remote; undefined = nobody counts. */
  readonly stats: MeterSource | undefined;
}

/** Roots announce changes in the era with a word for it only. */
export function forModern(capabilities: JsonObject): JsonObject {
  const { roots, ...rest } = capabilities;
  return roots === undefined ? rest : { ...rest, roots: {} };
}
