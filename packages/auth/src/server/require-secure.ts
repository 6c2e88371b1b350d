const loopback = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])$/;

/** Throws a TypeError for an address that others on the network could answer for. */
export function requireSecure(operation: string, option: string, address: string): void {
  const url = URL.canParse(address) ? new URL(address) : undefined;
  if (url?.protocol === 'https:' || (url?.protocol === 'http:' && loopback.test(url.hostname))) return;
  const where = url === undefined ? 'no URL' : `${url.protocol}//${url.host}`;
  throw new TypeError(
    `${operation}: "${option}" is ${where}. It must use https:, except on localhost, 127.0.0.1 and [::1]`,
  );
}
