import { shown } from '../base/printable.js';

/** The parts of a request that are checked before anything runs. */
export interface RequestHead {
  readonly method: string;
  /** Path and query as received. */
  readonly target: string;
  /** Whether the request came over TLS. */
  readonly secure: boolean;
  /** The address that the socket is connected with, where it is known: that of a reverse proxy, where there is one. */
  readonly remoteAddress?: string | undefined;
  /** The connection that the request came over, where it is known: what is found out about it may be kept in a `WeakMap`. */
  readonly connection?: object | undefined;
  /** Every value of a header, in the order received; the name in lower case. */
  headerValues(name: string): readonly string[];
  /**
   * Why the guard must reject the request because of how its headers were received, such as a header that may occur once and occurs
   * twice. @default undefined
   */
  readonly denial?: HeaderDenial | undefined;
}

/** The loopback names of a machine. The unspecified address is not one of them. */
const loopbackNames: readonly string[] = ['localhost', '127.0.0.1', '[::1]'];

/** Why a header check rejects a request: the status and the message. */
export interface HeaderDenial {
  readonly status: 400 | 403 | 431;
  readonly message: string;
  /** Headers of the response. @default none */
  readonly headers?: Readonly<Record<string, string>>;
}

const port = /:\d{1,5}$/;

/**
 * Creates the check of the `Host` header, which prevents DNS rebinding: a page cannot fake it. An entry without a port means any
 * port. Throws a TypeError for an entry that is not a host.
 */
export function createHostCheck(
  hosts: readonly string[] = loopbackNames,
): (head: RequestHead) => HeaderDenial | undefined {
  const allowed = new Set(hosts.map(hostEntry));
  return (head) => {
    const values = head.headerValues('host');
    const [host] = values;
    if (host === undefined || host === '' || values.length > 1) return oneHost;
    if (allowed.has(host) || allowed.has(host.replace(port, ''))) return undefined;
    return notAllowed('Host', host, 'allowedHosts');
  };
}

/** Creates the check of the `Origin` header. Without `origins` every loopback origin passes, on any port. A request without `Origin` always passes. */
export function createOriginCheck(
  origins?: readonly string[],
): (head: RequestHead) => HeaderDenial | undefined {
  const allows = createOriginMatcher(origins);
  return (head) => {
    const values = head.headerValues('origin');
    const [origin] = values;
    if (origin === undefined) return undefined;
    return values.length === 1 && allows(origin) ? undefined : notAllowed('Origin', origin, 'allowedOrigins');
  };
}

/** Creates a function that returns whether an origin is allowed. Throws a TypeError for an entry that is not an origin. */
export function createOriginMatcher(origins?: readonly string[]): (origin: string) => boolean {
  if (origins !== undefined) {
    const allowed = new Set(origins.map(originEntry));
    return (origin) => allowed.has(origin);
  }
  return (origin) => {
    const host = /^https?:\/\/(.+)$/.exec(origin)?.[1];
    return host !== undefined && loopbackNames.includes(host.replace(port, ''));
  };
}

const oneHost: HeaderDenial = { status: 400, message: 'exactly one Host header is needed' };

function notAllowed(name: string, value: string, option: string): HeaderDenial {
  const message = `the ${name} ${shown(value)} is not allowed: list it in "${option}" of the server`;
  return { status: 403, message };
}

function hostEntry(entry: string): string {
  const host = entry.toLowerCase();
  if (!/^(\[[0-9a-f:.]+\]|[a-z0-9._-]+)(:\d{1,5})?$/.test(host)) {
    throw new TypeError(
      `"${entry}" is not a host: pass a name or an address, with a port where only that port is allowed`,
    );
  }
  return host;
}

function originEntry(entry: string): string {
  const url = URL.canParse(entry) ? new URL(entry) : undefined;
  // Origins are compared as text, so an entry that browsers spell differently is rejected here.
  if (url === undefined || (url.origin !== entry && !plainScheme(entry, url))) {
    throw new TypeError(`"${entry}" is not an origin: pass scheme, host and port as browsers send them`);
  }
  return entry;
}

/** Extensions and apps have origins such as `vscode-webview://id`, which `URL` treats as opaque. */
function plainScheme(entry: string, url: URL): boolean {
  return url.origin === 'null' && /^[a-z][a-z0-9+.-]*:\/\/[^/?#\s]+$/.test(entry);
}
