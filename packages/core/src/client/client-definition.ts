import type { JsonObject } from '@rxmcp/jsonrpc';
import type { Interceptor } from '../contract/interceptor.js';
import type { MeterFactory } from '../contract/stats.js';
import type { DialledDefinition } from '../eras/dialled.js';
import type { Versions } from '../eras/versions.js';
import type { CollectedOffers } from '../offers/capabilities.js';
import type { ConnectionLimits } from '../peer/limits.js';
import type { Answers } from './asks/answers.js';

/** What all remotes of one client share. */
export interface ClientCore extends DialledDefinition, CollectedOffers {
  readonly versions: Versions;
  /** How offers handle requests of servers; undefined if no offer does. */
  readonly answers: Answers | undefined;
  readonly limits: ConnectionLimits;
  /** Interceptors around each call; undefined without any. */
  readonly interceptors: readonly Interceptor[] | undefined;
  /** Interceptors around each request; undefined without any. */
  readonly attemptInterceptors: readonly Interceptor[] | undefined;
  /** Creates the meter of each remote; undefined without `stats`. */
  readonly stats: MeterFactory | undefined;
}

/** Removes `roots.listChanged`: in the modern era roots do not announce changes. */
export function forModern(capabilities: JsonObject): JsonObject {
  const { roots, ...rest } = capabilities;
  return roots === undefined ? rest : { ...rest, roots: {} };
}
