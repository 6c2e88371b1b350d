import type { Context } from '@rxmcp/core';

/** What a context of a server says of the connection that its request came on. */
interface ConnectedContext extends Context {
  readonly host?: { readonly traits?: { readonly idScope?: 'connection' | 'lane' } };
}

/**
 * Returns the connection of a request if it is that of one client; undefined if many clients share it, as over HTTP without
 * sessions.
 */
export function clientOf(ctx: Context): object | undefined {
  const { host } = ctx as ConnectedContext;
  return host?.traits?.idScope === 'connection' ? host : undefined;
}
