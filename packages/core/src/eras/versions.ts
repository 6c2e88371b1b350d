import { RxmcpError } from '../base/errors.js';
import type { RxmcpErrorOptions } from '../base/errors.js';
import { quoted } from '../base/message-text.js';

/** Every published revision with a handshake, newest first. */
export const legacyVersions: readonly string[] = ['2025-11-25', '2025-06-18', '2025-03-26', '2024-11-05'];

/** Every published revision without a handshake, newest first. */
export const modernVersions: readonly string[] = ['2026-07-28'];

/** The revisions that a server or client supports, newest first. */
export interface Versions {
  readonly legacy: readonly string[];
  readonly modern: readonly string[];
}

/**
 * Narrows the known revisions to the given eras and revisions. Throws a TypeError for an unknown revision and if
 * nothing is left.
 */
export function versionsOf(eras?: readonly EraId[], pinned?: readonly string[]): Versions {
  for (const version of pinned ?? []) {
    if (!legacyVersions.includes(version) && !modernVersions.includes(version)) {
      throw new TypeError(`unsupported protocol version "${version}"`);
    }
  }
  const keep = (era: EraId, known: readonly string[]): readonly string[] =>
    eras !== undefined && !eras.includes(era) ? [] : known.filter((v) => pinned?.includes(v) ?? true);
  const versions = { legacy: keep('legacy', legacyVersions), modern: keep('modern', modernVersions) };
  if (versions.legacy.length + versions.modern.length === 0) {
    throw new TypeError('no protocol revision is left: check "eras" and "versions"');
  }
  return versions;
}

/** Returns the revisions that a transport supports. */
export function carried(versions: Versions, carrier: readonly string[] | undefined): Versions {
  if (carrier === undefined) return versions;
  return {
    legacy: versions.legacy.filter((v) => carrier.includes(v)),
    modern: versions.modern.filter((v) => carrier.includes(v)),
  };
}

/** Creates the error of a server without a revision of this client. `server` has its revisions, if it named them. */
export function noCommonVersion(
  server: readonly string[] | undefined,
  { modern, legacy }: Versions,
  options?: RxmcpErrorOptions,
): RxmcpError {
  const theirs =
    server === undefined
      ? 'rejected "server/discover"'
      : `supports ${server.map(quoted).join(', ') || 'none'}`;
  const message = `the client supports ${[...modern, ...legacy].join(', ')}; the server ${theirs}`;
  return new RxmcpError('NO_COMMON_VERSION', message, options);
}

/** One of the two families of protocol revisions: `legacy` with a handshake, `modern` without. */
export type EraId = 'legacy' | 'modern';
