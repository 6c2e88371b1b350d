import { pipeTraits, type Traits } from '@rxmcp/transport';

/** Largest message in either direction where nothing else is said: 4 MiB. */
export const defaultMaxMessageBytes = 4 * 1024 * 1024;

/** The revisions that HTTP+SSE carries: those with a session of their own. Newer ones have no binding for it. */
const versions = Object.freeze(['2025-11-25', '2025-06-18', '2025-03-26', '2024-11-05']);

/** The traits of either side. */
export function sseTraits(own: Partial<Traits>): Traits {
  return { ...pipeTraits, maxMessageBytes: defaultMaxMessageBytes, versions, ...own };
}
