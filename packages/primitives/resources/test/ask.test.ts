import { once, type Context, type Offer } from '@rxmcp/core';
import { sendAsk, defineOffer, reportFault } from '@rxmcp/core/internal';
import { defer, from, type Observable } from 'rxjs';
import { describe, expect, it } from 'vitest';
import { offerResources, resource, resources } from '../src/index.js';
import { type Era, eras, serve, settled } from './fixture.js';

/** A client that has one root. */
function rooted(uri: string): Offer {
  return defineOffer({
    name: 'roots',
    side: 'client',
    capabilities: { roots: {} },
    methods: [{ method: 'roots/list', handle: () => ({ roots: [{ uri }] }) }],
  });
}

async function root(ctx: Context): Promise<string> {
  const { roots } = await sendAsk(ctx, 'roots', { method: 'roots/list', needs: { roots: {} } });
  return (roots as { uri: string }[])[0]?.uri ?? 'none';
}

/** Asks only after others had the time to come. */
function rootLater(ctx: Context): Observable<string> {
  return defer(() => from(settled().then(() => root(ctx))));
}

describe.each(eras)('asking while a resource is read, %s %j', (...era: Era) => {
  it.each<[string, (vars: object, ctx: Context) => Promise<string> | Observable<string>]>([
    ['a promise', (_, ctx) => root(ctx)],
    ['an Observable', (_, ctx) => defer(() => root(ctx))],
    ['an Observable that asks late', (_, ctx) => rootLater(ctx)],
  ])('returns each caller its own answer: %s', async (_, source) => {
    const { connect } = serve(offerResources([resource('x:root', {}, source)]));
    const [one, two] = [
      await connect(era, undefined, [rooted('file:///1')]),
      await connect(era, undefined, [rooted('file:///2')]),
    ];
    const reads = [one, two, one, two].map((remote) => once(resources(remote).read('x:root')));
    expect((await Promise.all(reads)).map(([first]) => first)).toMatchObject(
      ['file:///1', 'file:///2', 'file:///1', 'file:///2'].map((text) => ({ text })),
    );
  });

  it('says in which run a source is', async () => {
    const rounds: number[] = [];
    const source = (_: object, ctx: Context): Promise<string> => {
      rounds.push(ctx.round);
      return root(ctx);
    };
    const { connect } = serve(offerResources([resource('x:root', {}, source)]));
    await once(resources(await connect(era, undefined, [rooted('file:///1')])).read('x:root'));
    expect(rounds).toEqual(era[0] === 'modern' ? [1, 2] : [1]);
  });

  it('reports a fault that the answer causes', async () => {
    const ignored = { code: 'ROOT_IGNORED', message: 'no folder' };
    const source = (_: object, ctx: Context): string => (reportFault(ctx, ignored), 'value');
    const { connect, faults } = serve(offerResources([resource('x:a', {}, source)]));
    await once(resources(await connect(era)).read('x:a'));
    expect(faults).toMatchObject([ignored]);
  });

  it('fails for a caller that only subscribes, or for a shared value', async () => {
    const offer = offerResources([
      resource('x:followed', {}, (_, ctx) => rootLater(ctx)),
      resource('x:shared', { shared: true }, (_, ctx) => root(ctx)),
    ]);
    const { connect, faults } = serve(offer);
    const remote = await connect(era, undefined, [rooted('file:///1')]);
    const seen: unknown[] = [];
    const watching = resources(remote)
      .watch('x:followed')
      .subscribe({ next: (contents) => seen.push(contents), error: (error: unknown) => seen.push(error) });
    await settled();
    await settled();
    expect(faults.map(({ code }) => code)).toContain('ASK_UNAVAILABLE');
    watching.unsubscribe();
    await expect(once(resources(remote).read('x:shared'))).rejects.toMatchObject({
      code: expect.any(Number) as number,
    });
  });
});
