import type { Fault } from '@rxmcp/core';
import { quoted } from '@rxmcp/core/internal';
import type { ResourceDefinition } from './catalog.js';

/**
 * Returns a warning about `http:` and `https:` URIs that clients cannot fetch, which clients may do directly. Undefined if all
 * can be fetched. The resources are served anyway.
 */
export function unreachableUriWarning(items: readonly ResourceDefinition[]): Fault | undefined {
  const found = items.flatMap(({ info }) => {
    const uri = (info['uri'] ?? info['uriTemplate']) as string;
    const problem = unreachableReason(uri);
    return problem === undefined ? [] : [`${quoted(uri)} (${problem})`];
  });
  if (found.length === 0) return undefined;
  const named = found.slice(0, 5).join(', ');
  const more = found.length > 5 ? ` and ${found.length - 5} more` : '';
  return {
    code: 'URI_UNREACHABLE',
    message: `clients may fetch http(s) URIs directly and cannot reach ${named}${more}: use a custom URI scheme for what this server serves`,
  };
}

/**
 * Why a client cannot fetch a web address directly, judged by the address alone. Undefined if it may, and for other schemes.
 * `https:` is for what clients fetch from the web without the server.
 * @see Spec 2026-07-28 server/resources#https
 */
export function unreachableReason(uri: string): string | undefined {
  const authority = /^https?:(?:\/\/([^/?#]*))?/i.exec(uri)?.[1];
  if (authority === undefined) return /^https?:/i.test(uri) ? 'it names no host' : undefined;
  if (authority.includes('@')) return 'it holds a user name';
  const host = authority.replace(/:\d*$/, '').toLowerCase().replace(/\.$/, '');
  if (host === '') return 'it names no host';
  // A variable of a template may stand for any host.
  if (/[{}]/.test(host)) return undefined;
  if (host.startsWith('[')) return /^\[(?:::1?|f[cd]|fe[89ab])/.test(host) ? inside : undefined;
  if (/^[\d.]+$/.test(host)) return privateAddress.test(host) ? inside : undefined;
  if (!host.includes('.') || /\.(?:localhost|local|internal|lan|home\.arpa|test|invalid)$/.test(host))
    return inside;
  return undefined;
}

const inside = 'its host is known within one machine or network only';
const privateAddress =
  /^(?:0\.|10\.|127\.|169\.254\.|192\.168\.|172\.(?:1[6-9]|2\d|3[01])\.|100\.(?:6[4-9]|[7-9]\d|1[01]\d|12[0-7])\.)/;
