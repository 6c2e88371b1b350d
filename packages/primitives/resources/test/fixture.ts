import type { ClientOptions, Fault, Remote } from '@rxmcp/core';
import { defineClient, defineServer, type Offer } from '@rxmcp/core';
import { memory } from '@rxmcp/memory';
import { afterEach } from 'vitest';

/** An era, and what is spoken in it. */
export type Era = ['modern' | 'legacy', readonly string[]];

/** The eras that each test of the wire runs in. */
export const eras: Era[] = [
  ['modern', ['2026-07-28']],
  ['legacy', ['2025-11-25']],
  ['legacy', ['2024-11-05']],
];

/** What only later revisions than the oldest know. */
export function laterThanOldest<T extends object>([, [version]]: Era, known: T): Partial<T> {
  return version === '2024-11-05' ? {} : known;
}

const info = { name: 'rig', version: '1.0.0' };
const closing: (() => Promise<unknown>)[] = [];

afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

/** A server with one offer, and a way for any principal to reach it. */
export function serve(offer: Offer, others: readonly Offer[] = []) {
  const link = memory();
  const server = defineServer({ info, offers: [offer, ...others] });
  const faults: Fault[] = [];
  const watching = server.faults$.subscribe((fault) => void faults.push(fault));
  const handle = link.serve(server);
  closing.push(async () => {
    watching.unsubscribe();
    await handle.close();
  });
  return {
    faults,
    handle,
    async connect(
      [era, versions]: Era,
      principal?: string,
      offers: readonly Offer[] = [],
      options: Partial<ClientOptions> = {},
    ): Promise<Remote> {
      const client = defineClient({
        info,
        eras: [era],
        versions: [...versions],
        offers: [...offers],
        ...options,
      });
      const remote = await client.connect(principal === undefined ? link : link.asPrincipal(principal));
      remote.faults$.subscribe((fault) => void faults.push(fault));
      closing.push(() => remote.close());
      return remote;
    },
  };
}

/** Lets everything that is due happen. */
export async function settled(): Promise<void> {
  for (let turn = 0; turn < 12; turn += 1) await new Promise((resolve) => setTimeout(resolve, 0));
}
