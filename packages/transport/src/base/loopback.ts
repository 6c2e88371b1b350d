/** Whether only this machine reaches a host: `localhost`, 127.0.0.0/8 or ::1, without brackets or with them. */
export function isLoopbackHost(host: string): boolean {
  return host === 'localhost' || /^(?:\[::1\]|::1)$/.test(host) || /^127(?:\.\d{1,3}){3}$/.test(host);
}

/**
 * Checks the address of a listener whose callers are not authenticated. Throws a TypeError for an address that is not a loopback
 * address; `remedy` names the options that permit it.
 */
export function requireLoopback(host: string, remedy: string): void {
  if (isLoopbackHost(host)) return;
  throw new TypeError(
    `"${host}" is reachable from other machines and callers are not authenticated: pass ${remedy} to serve them`,
  );
}
