import type { EraId } from 'rxmcp';
import { exhaustive } from '../../../../vitest.exhaustive.js';

/** One published revision of the protocol. */
export interface Revision {
  readonly era: EraId;
  readonly version: string;
}

/** All of them, newest first. */
export const revisions: readonly Revision[] = [
  { era: 'modern', version: '2026-07-28' },
  { era: 'legacy', version: '2025-11-25' },
  { era: 'legacy', version: '2025-06-18' },
  { era: 'legacy', version: '2025-03-26' },
  { era: 'legacy', version: '2024-11-05' },
];

/** The newest of each era, for what differs by era only; all of them in an exhaustive run. */
export const newestRevisions: readonly Revision[] = revisions.filter(
  ({ era }, at) => exhaustive || revisions.findIndex((other) => other.era === era) === at,
);
