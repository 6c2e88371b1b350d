import type { JsonObject } from '@rxmcp/jsonrpc';
import type { Interceptor } from '../contract/interceptor.js';
import type { MeterFactory } from '../contract/stats.js';
import type { DialledDefinition } from '../eras/dialled.js';
import type { Versions } from '../eras/versions.js';
import type { CollectedOffers } from '../offers/capabilities.js';
import type { ConnectionLimits } from '../peer/limits.js';
import type { Answers } from './answers.js';

/** What all remotes of one client description share. */
export interface ClientCore extends DialledDefinition, CollectedOffers {
  readonly versions: Versions;
  /** How the offers are answered; undefined = none of them answers anything. */
  readonly answers: Answers | undefined;
  readonly limits: ConnectionLimits;
  /** Around each logical call; undefined = none. */
  readonly interceptors: readonly Interceptor[] | undefined;
  /** Around each request on the wire; undefined = none. */
  readonly attemptInterceptors: readonly Interceptor[] | undefined;
  /** Makes what counts for each remote; undefined = nobody counts. */
  readonly stats: MeterFactory | undefined;
}

/** Roots announce changes in the era with a word for it only. */
export function forModern(capabilities: JsonObject): JsonObject {
  const { roots, ...rest } = capabilities;
  return roots === undefined ? rest : { ...rest, roots: {} };
}
