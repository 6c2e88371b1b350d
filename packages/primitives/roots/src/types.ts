import type { JsonObject } from '@rxmcp/core';

/** A place that a server should work in (schema 2026-07-28 Root). Guidance: nothing enforces it. */
export interface Root {
  /** Every revision says `file:`; any valid uri is accepted when it comes from the other side. */
  readonly uri: string;
  /** For display. */
  readonly name?: string;
  readonly _meta?: JsonObject;
  readonly [member: string]: unknown;
}
