import type { JsonObject } from '@rxmcp/jsonrpc';
import type { Implementation } from '../contract/context.js';
import type { Interceptor } from '../contract/interceptor.js';
import type { MeterSource } from '../contract/stats.js';
import type { Versions } from '../eras/versions.js';
import type { Gathered } from '../offers/capabilities.js';
import type { Patience } from '../peer/calls.js';
import type { Limits } from '../peer/limits.js';

/** What all remotes of one client description share. */
export interface ClientCore extends Gathered {
  readonly info: Implementation;
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
