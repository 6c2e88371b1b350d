import type { Offer, Remote, Server } from '@rxmcp/core';
import { defineClient, defineServer, once } from '@rxmcp/core';
import { elicit, offerElicitation } from '@rxmcp/elicitation';
import { http } from '@rxmcp/http';
import { serveHttp } from '@rxmcp/http/node';
import { offerTools, textOf, tool, tools } from '@rxmcp/tools';
import { filter, firstValueFrom, Subject } from 'rxjs';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { exhaustive } from '../../../vitest.exhaustive.js';
import { turnsUntil } from '../../../vitest.turns.js';
import { offerRemote, relayAsks } from '../src/index.js';
import { jsonSchema } from './json-schema.js';
import { info, legacy, modern, pairs } from './rig.js';

const sizes = jsonSchema({ type: 'object', properties: { size: { type: 'string' } }, required: ['size'] });

type Budget = Server['memory'];

/** A budget of its own: the one of the process has the charges of all parties of a test. */
function budget(maxBytes: number): Budget {
  const { constructor } = defineServer({ info, offers: [] }).memory;
  return new (constructor as new (options: { readonly maxBytes: number }) => Budget)({ maxBytes });
}

/** A gateway over HTTP to a server with a tool that asks, `finish$` for one that ends without an answer, and clients with names. */
async function rig(
  [outerVersion, innerVersion]: readonly [string, string],
  memory = budget(64 * 1024 * 1024),
) {
  const finish$ = new Subject<string>();
  const principal = (head: { headerValues(name: string): readonly string[] }) => ({
    principal: head.headerValues('authorization')[0] ?? '',
  });
  const listening = async (server: Server): Promise<string> => {
    server.faults$.subscribe();
    const listener = await serveHttp(server, { port: 0, authenticate: principal });
    onTestFinished(() => listener.close());
    return listener.url;
  };
  const dialled = async (url: string, name: string, version: string, offers: readonly Offer[]) => {
    const transport = http(url, { headers: { authorization: name } });
    const remote: Remote = await defineClient({ info, versions: [version], offers }).connect(transport);
    remote.faults$.subscribe();
    onTestFinished(() => remote.close());
    return remote;
  };
  const offers = [
    offerTools([
      tool('ask', async (_args, ctx) => JSON.stringify(await elicit(ctx, { message: '?', schema: sizes }))),
      tool('race', (_args, ctx) => {
        elicit(ctx, { message: '?', schema: sizes }).catch(() => undefined);
        return firstValueFrom(finish$);
      }),
      tool('length', (args) => String(JSON.stringify(args).length)),
    ]),
  ];
  const shop = await listening(defineServer({ info, offers }));
  const inner = await dialled(shop, 'gateway', innerVersion, [relayAsks()]);
  const gateway = await listening(
    // Interceptors hide the request from the handlers, but not who is charged.
    defineServer({
      info,
      offers: offerRemote(inner),
      memory,
      interceptors: [(request, next) => next(request.params)],
    }),
  );
  const answers$ = new Subject<void>();
  const asked: string[] = [];
  const client = (name: string): Promise<Remote> =>
    dialled(gateway, name, outerVersion, [
      offerElicitation(async () => {
        asked.push(name);
        await firstValueFrom(answers$);
        return { action: 'accept', content: { size: 'M' } };
      }),
    ]);
  return { memory, inner, client, asked, answers$, finish$ };
}

// Each revision once on each side; all pairs in an exhaustive run.
describe.each(exhaustive ? pairs : pairs.slice(1, 3))(
  'calls whose clients do not answer, outer %s, inner %s',
  (...pair) => {
    it('leave the calls of others room, and those of one caller end first', async () => {
      const { client, asked, answers$ } = await rig(pair);
      const callers = [await client('mallory'), await client('eve')];
      // Each caller may have 64 calls that wait.
      const calls = callers.flatMap((remote) =>
        Array.from({ length: 68 }, () => once(tools(remote).call('ask'))),
      );
      const settled = Promise.allSettled(calls);
      await turnsUntil(() => asked.length === calls.length);
      const ada = await client('ada');
      expect(textOf(await once(tools(ada).call('length', {})))).toBe('2');
      const hers = once(tools(ada).call('ask'));
      await turnsUntil(() => asked.length === calls.length + 1);
      answers$.next();
      expect(textOf(await hers)).toContain('accept');
      const ends = (await settled).map((end) =>
        end.status === 'fulfilled' ? 'answered' : (end.reason as { code: number }).code,
      );
      // The call of the third caller takes the place of one of theirs.
      expect(ends.filter((end) => end === 'answered')).toHaveLength(127);
      expect([...new Set(ends)].sort()).toEqual([pair[0] === legacy ? -31001 : -31003, 'answered']);
    });
  },
);

const large = 'x'.repeat(1_000_000);

describe.each([legacy, modern])('a call that waits for its client, inner %s', (version) => {
  it('is charged once to its caller until it is over', async () => {
    const { memory, client, asked, answers$ } = await rig([modern, version]);
    const mallory = await client('mallory');
    const calls = [1, 2].map(() => once(tools(mallory).call('ask', { large })));
    await vi.waitFor(() => expect(asked).toHaveLength(2));
    const { largest } = memory.stats();
    expect(largest.map(({ holder }) => holder)).toEqual(['principal mallory']);
    expect(memory.heldBytes / large.length).toBeGreaterThan(4);
    expect(memory.heldBytes / large.length).toBeLessThan(5);
    answers$.next();
    await Promise.all(calls);
    await vi.waitFor(() => expect(memory.heldBytes).toBe(0));
  });

  it('takes the share of its caller: further calls are rejected, those of others are not', async () => {
    const { client, asked } = await rig([modern, version], budget(10_000_000));
    const mallory = await client('mallory');
    const calls = [1, 2].map(() => once(tools(mallory).call('ask', { large })));
    calls.forEach((call) => call.catch(() => undefined));
    await vi.waitFor(() => expect(asked).toHaveLength(2));
    await expect(once(tools(mallory).call('ask', { large }))).rejects.toMatchObject({ code: -31001 });
    const ada = await client('ada');
    expect(textOf(await once(tools(ada).call('length', { large })))).toBe(String(large.length + 12));
  });
});

it('a result that waits for the next request of its client is charged to the caller', async () => {
  const { memory, client, asked, answers$, finish$ } = await rig([modern, legacy]);
  const mallory = await client('mallory');
  const call = once(tools(mallory).call('race'));
  await vi.waitFor(() => expect(asked).toHaveLength(1));
  expect(memory.heldBytes).toBeGreaterThan(0);
  expect(memory.heldBytes).toBeLessThan(100_000);
  finish$.next(large);
  await vi.waitFor(() => expect(memory.heldBytes).toBeGreaterThan(large.length));
  answers$.next();
  expect(textOf(await call)).toBe(large);
  await vi.waitFor(() => expect(memory.heldBytes).toBe(0));
});

it('a result without room while it waits fails its call', async () => {
  const { memory, inner, client, asked, answers$, finish$ } = await rig([modern, legacy], budget(1_000_000));
  const mallory = await client('mallory');
  const call = once(tools(mallory).call('race'));
  await vi.waitFor(() => expect(asked).toHaveLength(1));
  const ended = firstValueFrom(inner.wire$.pipe(filter(({ message }) => 'result' in (message as object))));
  finish$.next(large);
  await ended;
  answers$.next();
  await expect(call).rejects.toMatchObject({
    code: -31001,
    message: expect.stringContaining('no memory is left'),
  });
  await vi.waitFor(() => expect(memory.heldBytes).toBe(0));
});
