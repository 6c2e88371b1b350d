import type { Fault, Offer, Remote, Server, WireEvent } from '@rxmcp/core';
import { defineClient, defineServer } from '@rxmcp/core';
import type { MemoryTransport } from '@rxmcp/memory';
import { memory } from '@rxmcp/memory';
import { onTestFinished } from 'vitest';
import type { OfferRemoteOptions } from '../src/index.js';
import { offerRemote } from '../src/index.js';

export const legacy = '2025-11-25';
export const modern = '2026-07-28';

/** All pairs of revisions: of the outer client, and of the inner server. */
export const pairs = [
  [legacy, legacy],
  [legacy, modern],
  [modern, legacy],
  [modern, modern],
] as const;

export const info = { name: 'gateway', version: '1.0.0' };

/** A served server: what is needed to connect with it, and to cut it off. */
export interface Served {
  readonly server: Server;
  readonly link: MemoryTransport;
  readonly faults: readonly Fault[];
  close(): Promise<void>;
}

/** Serves offers in memory, until the end of the test. */
export function served(name: string, offers: readonly Offer[]): Served {
  const server = defineServer({ info: { name, version: '1.0.0' }, offers });
  const faults: Fault[] = [];
  server.faults$.subscribe((fault) => faults.push(fault));
  const link = memory();
  const handle = link.serve(server);
  const close = (): Promise<void> => handle.close();
  onTestFinished(close);
  return { server, link, faults, close };
}

/** Connects in one revision, until the end of the test. */
export async function connected(
  { link }: Pick<Served, 'link'>,
  version: string,
  offers: readonly Offer[] = [],
  limits: { readonly idleTimeoutMs?: number } = {},
): Promise<Remote> {
  const remote = await defineClient({ info, offers, versions: [version], ...limits }).connect(link);
  remote.faults$.subscribe();
  onTestFinished(() => remote.close());
  return remote;
}

/** A gateway to one inner server, and a client of the gateway. */
export async function gateway(
  inner: readonly Offer[],
  [outerVersion, innerVersion]: readonly [string, string],
  options: OfferRemoteOptions = {},
  more: readonly Offer[] = [],
): Promise<{ readonly remote: Remote; readonly inner: Remote; readonly outer: Served }> {
  const remote = await connected(served('inner', inner), innerVersion);
  const outer = served('gateway', [...offerRemote(remote, options), ...more]);
  return { remote: await connected(outer, outerVersion), inner: remote, outer };
}

/** The methods that a remote sends, in order. */
export function sentBy(remote: Remote): string[] {
  const methods: string[] = [];
  remote.wire$.subscribe(({ direction, message }: WireEvent) => {
    const { method } = message as { method?: string };
    if (direction === 'out' && method !== undefined) methods.push(method);
  });
  return methods;
}

/** The resources that a remote subscribed to, in the way of its revision; a second subscription of one is a second entry. */
export function subscriptions(remote: Remote): () => readonly string[] {
  const uris: string[] = [];
  remote.wire$.subscribe(({ direction, message }: WireEvent) => {
    const { method, params } = message as Sent;
    if (direction !== 'out') return;
    if (method === 'resources/subscribe') uris.push(params?.uri ?? '');
    // Each replaces the one before.
    if (method === 'subscriptions/listen')
      uris.splice(0, Infinity, ...(params?.notifications?.resourceSubscriptions ?? []));
  });
  return () => uris;
}

interface Sent {
  readonly method?: string;
  readonly params?: {
    readonly uri?: string;
    readonly notifications?: { readonly resourceSubscriptions?: readonly string[] };
  };
}
