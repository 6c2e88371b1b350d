import { AsyncLocalStorage } from 'node:async_hooks';
import { http } from '@rxmcp/http';
import { serveHttp } from '@rxmcp/http/node';
import { defineClient, defineServer, once } from 'rxmcp';
import { elicit, offerElicitation } from 'rxmcp/elicitation';
import { trace, type TraceContext } from 'rxmcp/interceptors';
import { listRoots, offerRoots } from 'rxmcp/roots';
import { offerSampling, sample } from 'rxmcp/sampling';
import { offerTools, text, tool, tools } from 'rxmcp/tools';
import { timer, map } from 'rxjs';
import { expect, it, onTestFinished } from 'vitest';
import * as z from 'zod';

const traces = ['1', '2', '3'].map((one) => ({
  traceparent: `00-${one.repeat(32)}-${one.repeat(16)}-01`,
  baggage: `who=${one}`,
}));

it.each(['2026-07-28', '2025-11-25'])(
  '%s, over HTTP: every ask is answered within its trace',
  async (version) => {
    const storage = new AsyncLocalStorage<TraceContext | undefined>();
    const told: string[] = [];
    const tell = (what: string): void => void told.push(`${what} ${storage.getStore()?.baggage ?? 'none'}`);
    const asker = tool('ask', {}, async (_args, ctx) => {
      const user = { role: 'user' as const, content: text('?') };
      await sample(ctx, 's', { messages: [user], maxTokens: 5 });
      await elicit(ctx, 'e', { message: '?', schema: z.object({ ok: z.boolean() }) });
      await listRoots(ctx);
      return text('asked');
    });
    const server = defineServer({ info: { name: 's', version: '1' }, offers: [offerTools([asker])] });
    const listener = await serveHttp(server, { port: 0 });
    const client = defineClient({
      info: { name: 'c', version: '1' },
      versions: [version],
      interceptors: [trace({ storage })],
      incomingInterceptors: [trace({ storage })],
      offers: [
        offerSampling(
          () =>
            timer(1).pipe(
              map(() => (tell('model'), { model: 'm', role: 'assistant' as const, content: text('!') })),
            ),
          {
            approve: async () => {
              await new Promise((resolve) => setTimeout(resolve, 1));
              tell('approval');
              return { action: 'approve' };
            },
          },
        ),
        offerElicitation(() =>
          timer(1).pipe(map(() => (tell('form'), { action: 'accept' as const, content: { ok: true } }))),
        ),
        offerRoots([], { approve: () => Promise.resolve().then(() => (tell('roots'), true)) }),
      ],
    });
    const remote = await client.connect(http(listener.url));
    onTestFinished(async () => {
      await remote.close();
      await listener.close();
    });
    await Promise.all(traces.map((one) => storage.run(one, () => once(tools(remote).call('ask')))));
    const each = (baggage: string) =>
      told.filter((line) => line.endsWith(baggage)).map((line) => line.split(' ')[0]);
    for (const { baggage } of traces)
      expect(each(baggage)).toEqual(['approval', 'model', 'approval', 'form', 'roots']);
    expect(told).toHaveLength(15);
  },
);
