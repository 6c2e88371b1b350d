/**
 * Whether servers of this revision say that they complete. The first revision has the method and no word for it, so there the
 * method is simply called (spec 2024-11-05 server/utilities/completion).
 */
export function declares(version: string): boolean {
  return version >= '2025-03-26';
}
