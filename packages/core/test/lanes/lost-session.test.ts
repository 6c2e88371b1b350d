import { expect, it, onTestFinished } from 'vitest';
import { defineClient, defineServer, offerMethod, once } from '../../src/index.js';
import type { RemoteStatus } from '../../src/index.js';
import { defineOffer } from '../../src/internal.js';
import { watch } from '../rig/counting.js';
import { LanedLink } from '../rig/laned.js';
import { turn, until } from '../rig/turn.js';

/** A server with a counter that can be followed, and a client of the older era with one open session. */
async function session() {
  const changes = new Set<() => void>();
  let reads = 0;
  const runs: AbortSignal[] = [];
  const offers = [
    defineOffer({
      name: 'resources',
      side: 'server',
      capabilities: { resources: { subscribe: true } },
      methods: [{ method: 'x/read', handle: () => ({ n: (reads += 1) }) }],
      watch(uri, _caller, changed) {
        const tell = (): void => changed(uri);
        changes.add(tell);
        return () => changes.delete(tell);
      },
    }),
    offerMethod('x/never', {}, (_params, ctx) => {
      runs.push(ctx.signal);
      return new Promise<never>(() => undefined);
    }),
  ];
  const link = new LanedLink();
  link.serve(defineServer({ info: { name: 's', version: '1' }, offers }));
  const client = defineClient({ info: { name: 'c', version: '1' }, eras: ['legacy'] });
  const remote = await client.connect(link.as('a'));
  onTestFinished(() => remote.close());
  const states: string[] = [];
  remote.status$.subscribe((status: RemoteStatus) => states.push(status.state));
  return { link, remote, changes, runs, states };
}

it('fault 16: a session that the server forgot is opened anew, once, and calls in flight have outcome unknown', async () => {
  const { link, remote, runs, states } = await session();
  const flying = [1, 2].map(() => once(remote.request('x/never')));
  await until(() => runs.length === 2);
  const ended = flying.map((call) =>
    expect(call).rejects.toMatchObject({ code: 'SESSION_EXPIRED', outcome: 'unknown' }),
  );
  link.forget();
  await turn();
  // The calls that find it lost and those made meanwhile: one opening for all.
  const [found, second] = ['x/read', 'x/read'].map((method) => once(remote.request(method)));
  await expect(found).rejects.toMatchObject({ code: 'SESSION_EXPIRED' });
  await expect(second).rejects.toMatchObject({ code: 'SESSION_EXPIRED' });
  await Promise.all(ended);
  expect(await once(remote.request('x/read'))).toEqual({ n: 1 });
  expect(link.dials).toBe(2);
  expect(states).toEqual(['open', 'reconnecting', 'open']);
  expect(runs.every((signal) => signal.aborted)).toBe(true);
});

it('fault 16: subscriptions are renewed in the new session, and read again', async () => {
  const { link, remote, changes } = await session();
  const seen: number[] = [];
  const subscription = watch(remote, 'x:a').subscribe((n) => seen.push(n));
  await until(() => seen.length === 1 && changes.size === 1);
  link.forget();
  await until(() => changes.size === 0);
  await once(remote.request('x/read')).catch(() => undefined);
  await until(() => seen.length === 2 && changes.size === 1);
  for (const tell of changes) tell();
  await until(() => seen.length === 3);
  subscription.unsubscribe();
  expect(link.served.size).toBe(1);
});
