/** What the HTTP binding itself does differently from revision to revision; everything else is the peer's business. */

/** The revisions that are spoken within sessions. */
export const sessionVersions: readonly string[] = ['2024-11-05', '2025-03-26', '2025-06-18', '2025-11-25'];

/** What is spoken where nothing says otherwise. 2025-11-25, transports, protocol version header. */
export const assumedVersion = '2025-03-26';

/** Whether bodies may be batches. */
export function hasBatches(version: string | undefined): boolean {
  return version === '2025-03-26';
}

/** Whether a stream begins with an event that holds an id and no data, which older readers take for a message. */
export function primesStreams(version: string | undefined): boolean {
  return version !== undefined && version >= '2025-11-25';
}

/** Whether an error that names no request has a null id. */
export function usesNullErrorId(version: string | undefined): boolean {
  return version !== undefined && version <= '2025-06-18';
}

/** Whether a version is one that every request states, without a handshake. */
export function isPerRequest(version: string): boolean {
  return /^\d{4}-\d{2}-\d{2}$/.test(version) && version > '2025-11-25';
}
