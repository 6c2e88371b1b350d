import type { Fault } from '@rxmcp/core';
import { quoted } from '@rxmcp/core/internal';
import type { Offered } from './catalog.js';
import { unreachable } from './uri/reach.js';

/**
 * A warning about web addresses that clients could not fetch by themselves, which is what clients take them for; undefined where
 * there are none. They are served all the same.
 */
export function doubtfulAddresses(items: readonly Offered[]): Fault | undefined {
  const found = items.flatMap(({ info }) => {
    const uri = (info['uri'] ?? info['uriTemplate']) as string;
    const problem = unreachable(uri);
    return problem === undefined ? [] : [`${quoted(uri)} (${problem})`];
  });
  if (found.length === 0) return undefined;
  const named = found.slice(0, 5).join(', ');
  const more = found.length > 5 ? ` and ${found.length - 5} more` : '';
  return {
    code: 'URI_UNREACHABLE',
    message: `clients fetch web addresses by themselves, and may not reach ${named}${more}: name what they read from here by a scheme of its own`,
  };
}
