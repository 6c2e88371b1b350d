import type { Remote } from 'rxmcp';

/**
 * Whether a connection has a session: since 2026-07-28 a server asks for roots, and sends log records, only while it handles a request, and
 * has no `ping`.
 */
export function hasSession({ version }: Remote): boolean {
  return version <= '2025-11-25';
}
