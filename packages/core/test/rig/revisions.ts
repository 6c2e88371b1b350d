import type { Context } from '../../src/index.js';
import { defineOffer } from '../../src/internal.js';
import type { Frame } from './pipe.js';
import type { RawClient } from './raw-client.js';
import { rawClient } from './raw-client.js';

/** The revisions with a handshake, oldest first. */
export const legacy = ['2024-11-05', '2025-03-26', '2025-06-18', '2025-11-25'] as const;
/** Every revision, oldest first. */
export const revisions = [...legacy, '2026-07-28'] as const;

/** One of them. */
export type Revision = (typeof revisions)[number];

type Handler = (params: Record<string, unknown>, ctx: Context) => unknown;

/** A server's methods, as the primitives offer them. */
export function offering(methods: Record<string, Handler>, capabilities: object = {}) {
  return defineOffer({
    name: 'primitives',
    side: 'server',
    capabilities: { ...capabilities },
    methods: Object.entries(methods).map(([method, handle]) => ({ method, handle: handle as never })),
  });
}

/** A client of a server with these methods that speaks a revision, and how it asks. */
export async function speaking(
  version: string,
  methods: Record<string, Handler>,
  capabilities: object = {},
): Promise<{ client: RawClient; ask(method: string, params?: object): Promise<Frame> }> {
  const client = rawClient([offering(methods)]);
  let id = 0;
  if (version === '2026-07-28') {
    return { client, ask: (method, params = {}) => client.modern((id += 1), method, params, capabilities) };
  }
  await client.shake(version, capabilities);
  await client.take();
  return { client, ask: (method, params = {}) => client.ask({ id: (id += 1), method, params }) };
}

/** What a client of a revision gets for one value that a handler gave. */
export async function seen(
  version: string,
  method: string,
  value: unknown,
): Promise<Record<string, unknown>> {
  const { ask } = await speaking(version, { [method]: () => value });
  return (await ask(method)).result ?? {};
}
