import { houseVersion, otherVersion } from './brand.js';
import type { Remote, RemoteLink } from './remote.js';

const linkKey = Symbol.for('rxmcp.link');

/** The inner face of a remote, for packages that build on the core. */
export function link(remote: Remote): RemoteLink {
  const key = remote as unknown as Record<symbol, { version: string; inner: RemoteLink } | undefined>;
  const found = key[linkKey];
  if (found === undefined) {
    throw new TypeError('this is no remote: use what client.connect(transport) resolved to');
  }
  if (found.version !== houseVersion) throw otherVersion('this remote', found.version);
  return found.inner;
}

/** Gives a remote its inner face. */
export function setLink(remote: Remote, inner: RemoteLink): void {
  Object.defineProperty(remote, linkKey, { value: { version: houseVersion, inner } });
}

/** Makes a function of a remote that builds once per remote and then remembers. */
export function attached<T>(build: (inner: RemoteLink, remote: Remote) => T): (remote: Remote) => T {
  const built = new WeakMap<Remote, T>();
  return (remote) => {
    let use = built.get(remote);
    if (use === undefined) {
      use = build(link(remote), remote);
      built.set(remote, use);
    }
    return use;
  };
}
