/** The channel on which the page of a popup reports to the page that opened it: both have the origin, and know the state. */
export const channelOf = (state: string): string => `rxmcp-auth ${state}`;

/**
 * Ends a sign-in in the page that a popup comes back to: passes the address of this page on to the page that opened the popup, which
 * then closes it. Call it in the page at `redirectUri` of `popupRedirect`.
 *
 * @returns whether this page was opened by a sign-in: its address has a `state`
 */
export function returnFromPopup(): boolean {
  const state = new URLSearchParams(location.search).get('state');
  if (state === null) return false;
  // Not `opener`: pages of the authorization server may have cut the two windows apart (Cross-Origin-Opener-Policy).
  const channel = new BroadcastChannel(channelOf(state));
  channel.onmessage = () => window.close();
  channel.postMessage(location.href);
  return true;
}
