import type { RequestHead } from './host-and-origin.js';

/** Returns the address of the client of a request; `undefined` for that of the socket. */
export type ClientAddress = (head: RequestHead) => string | undefined;

/** Returns the address of the client of a request, where a caller is not known yet: that of the socket where `clientAddress` fails. */
export function addressOf(head: RequestHead, clientAddress: ClientAddress | undefined): string | undefined {
  try {
    return clientAddress?.(head) ?? head.remoteAddress;
  } catch {
    return head.remoteAddress;
  }
}

/** Options of {@link forwardedAddress}. */
export interface ForwardedAddressOptions {
  /** How many proxies each request passes, each of which appends to the header the address that it was called from. @default 1 */
  readonly proxies?: number;
  /** The header: that of RFC 7239, or the older one. @default 'x-forwarded-for' */
  readonly header?: 'forwarded' | 'x-forwarded-for';
}

/**
 * Returns a {@link GuardOptions.clientAddress} for a listener behind reverse proxies.
 *
 * **Warning:** Use it only where every request passes exactly these proxies, and the listener cannot be reached in another way. Otherwise
 * clients choose their address, and each can take the shares of many. Only the entries of the trusted proxies are read, counted from the
 * end: clients can write what comes before.
 * @throws TypeError for a number of proxies that is not a positive integer
 * @see RFC 7239 section 5.2
 */
export function forwardedAddress({
  proxies = 1,
  header = 'x-forwarded-for',
}: ForwardedAddressOptions = {}): ClientAddress {
  if (!Number.isSafeInteger(proxies) || proxies < 1)
    throw new TypeError(`"proxies" must be a positive integer, not ${String(proxies)}`);
  return (head) => {
    const entry = head.headerValues(header).join(',').split(',').at(-proxies) ?? '';
    const node = header === 'forwarded' ? /(?:^|;)\s*for=([^;]*)/i.exec(entry)?.[1] : entry;
    return node === undefined ? undefined : addressOfNode(node);
  };
}

/** Returns the address of a node as both headers write it, with or without quotes, brackets and a port. */
function addressOfNode(node: string): string | undefined {
  const bare = node.trim().replace(/^"(.*)"$/, '$1');
  const [, inBrackets, beforePort] = /^\[([^\]]*)\](?::\d+)?$|^([^:]*):\d+$/.exec(bare) ?? [];
  const address = inBrackets ?? beforePort ?? bare;
  return /^[\w.:%-]{1,64}$/.test(address) ? address : undefined;
}
