import { quoted } from './names.js';
import type { RemoteLink } from './remote.js';
import type { LeftOut } from './well-typed.js';

/**
 * Tells of members of what a peer sent that were left out, by the fault MEMBER_DROPPED. Only of the first: a list may have a hundred
 * thousand such entries.
 */
export function leftOutOf(link: Pick<RemoteLink, 'fault'>, method: string): (where: string) => LeftOut {
  let told = false;
  return (where) => (members) => {
    if (told) return;
    told = true;
    const what = members.slice(0, 10).map(quoted).join(', ');
    const message = `${quoted(method)}: left out ${what} of ${quoted(where)}, not what the specification has there`;
    link.fault({ code: 'MEMBER_DROPPED', message });
  };
}
