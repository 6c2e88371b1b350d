import { BehaviorSubject, firstValueFrom, NEVER, type Observable } from 'rxjs';
import { defineServer, RxmcpError, TransportError } from 'rxmcp';
import { elicit, form, stringField } from 'rxmcp/elicitation';
import { memory } from 'rxmcp/memory';
import { listRoots } from 'rxmcp/roots';
import { sample } from 'rxmcp/sampling';
import { offerTools, text, type Tool, tool } from 'rxmcp/tools';
import type { Transport } from 'rxmcp/transport';
import { expect, it, onTestFinished, vi } from 'vitest';
import { App } from '../src/page/state/app.js';
import type { Ask } from '../src/page/state/asks.js';
import { runOf } from '../src/page/state/run.js';

const target = { url: 'memory:', token: '', roots: ['file:///work'] };
const first = tool('first', {}, () => text('one'));
const second = tool('second', {}, () => text('two'));

const asking = tool('asking', {}, async (_args, ctx) => {
  const answer = await elicit(ctx, 'name', { message: 'Who?', schema: form({ name: stringField() }) });
  return text(answer.action === 'accept' ? answer.content.name : answer.action);
});
const sampling = tool('sampling', {}, async (_args, ctx) => {
  const messages = [{ role: 'user' as const, content: text('What bird?') }];
  const { content } = await sample(ctx, 'bird', { systemPrompt: 'be brief', messages, maxTokens: 9 });
  return text(JSON.stringify(content));
});
const rooted = tool('rooted', {}, async (_args, ctx) => text(JSON.stringify(await listRoots(ctx))));

/** An app in front of a server whose tools may change. */
function connected(tools: readonly Tool[]) {
  const tools$ = new BehaviorSubject(tools);
  const link = memory();
  const server = defineServer({ info: { name: 'shop', version: '1.0.0' }, offers: [offerTools(tools$)] });
  const serving = link.serve(server);
  onTestFinished(() => serving.close());
  const app = new App(() => link);
  const seen = follow(app.catalog$);
  app.target$.next(target);
  const labels = () => seen.at(-1)?.items.map(({ label }) => label);
  return { app, server, tools$, labels };
}

function follow<T>(source: Observable<T>): readonly T[] {
  const values: T[] = [];
  const subscription = source.subscribe((value) => values.push(value));
  onTestFinished(() => subscription.unsubscribe());
  return values;
}

/** Calls a tool, and answers what it asks for. */
async function answered(one: Tool, answer: (ask: Ask) => void) {
  const { app, labels } = connected([one]);
  await vi.waitUntil(() => labels()?.length === 1);
  const [item] = (await firstValueFrom(app.catalog$)).items;
  const remote = await firstValueFrom(app.remote$);
  if (item === undefined || remote === undefined) throw new Error('not connected');
  const asks = follow(app.asks.waiting$);
  const runs = follow(runOf(item.actions[0]?.run(remote, {}) ?? NEVER, NEVER));
  await vi.waitUntil(() => asks.at(-1)?.length === 1);
  const ask = asks.at(-1)?.[0] as Ask;
  answer(ask);
  await vi.waitUntil(() => runs.at(-1)?.state !== 'running');
  expect(asks.at(-1)).toEqual([]);
  return { ask, run: runs.at(-1) };
}

it('the lists follow the server', async () => {
  const { labels, tools$ } = connected([first]);
  await vi.waitUntil(() => labels()?.[0] === 'first');
  tools$.next([first, second]);
  await vi.waitUntil(() => labels()?.length === 2);
  expect(labels()).toEqual(['first', 'second']);
});

it('the item that is shown changes with its entry only', async () => {
  const { app, labels, tools$ } = connected([first, second]);
  await vi.waitUntil(() => labels()?.length === 2);
  const items = follow(app.item$);
  const [item] = (await firstValueFrom(app.catalog$)).items;
  if (item !== undefined) app.select(item);
  tools$.next([first]);
  await vi.waitUntil(() => labels()?.length === 1);
  tools$.next([tool('first', { description: 'changed' }, () => text('one'))]);
  await vi.waitUntil(() => items.at(-1)?.description === 'changed');
  expect(items.map((shown) => shown?.description)).toEqual([undefined, '', 'changed']);
});

it('20 connections leave none open, and no ask', async () => {
  const { app, server, labels } = connected([first]);
  for (let round = 0; round < 20; round += 1) {
    await vi.waitUntil(() => labels()?.length === 1);
    expect(await firstValueFrom(server.connections$)).toHaveLength(1);
    app.target$.next(undefined);
    expect(labels()).toEqual([]);
    await vi.waitUntil(async () => (await firstValueFrom(server.connections$)).length === 0);
    app.target$.next(target);
  }
  app.target$.next(undefined);
  expect(await firstValueFrom(app.asks.waiting$)).toEqual([]);
});

it('without subscribers nothing is connected', async () => {
  const { app, server, labels } = connected([first]);
  await vi.waitUntil(() => labels()?.length === 1);
  const subscription = app.remote$.subscribe();
  subscription.unsubscribe();
  expect(await firstValueFrom(server.connections$)).toHaveLength(1);
  expect(app.target$.observed).toBe(true);
});

it.each<[string, Transport, string]>([
  [
    'a transport that fails',
    { name: 'broken', dial: () => Promise.reject(new TransportError('DIAL_FAILED', 'no server')) },
    'no server',
  ],
])('%s is final at the first attempt', async (_what, transport, message) => {
  const app = new App(() => transport);
  const sessions = follow(app.session$);
  app.target$.next(target);
  await vi.waitUntil(() => sessions.at(-1)?.state === 'failed');
  expect(sessions.map(({ state }) => state)).toEqual(['closed', 'connecting', 'failed']);
  expect(sessions.at(-1)).toMatchObject({ cause: { message } });
});

it.each([
  ['an invalid URL', 'no', []],
  ['an invalid root', 'memory:', ['https://example.com']],
])('%s is an error of the session', (_what, url, roots) => {
  const app = new App(() => {
    throw new TypeError(`no transport for ${new URL(url).protocol}`);
  });
  const sessions = follow(app.session$);
  app.target$.next({ ...target, url, roots });
  expect(sessions.at(-1)).toMatchObject({ state: 'failed', cause: expect.any(TypeError) });
});

it('a form waits for a person, who fills it in', async () => {
  const { ask, run } = await answered(asking, ({ answer }) =>
    answer({ action: 'accept', args: { name: 'Ada' } }),
  );
  expect(ask).toMatchObject({ title: 'The server "shop" asks you', texts: ['Who?'], accept: 'Send' });
  expect(ask.fields.map(({ name, required }) => [name, required])).toEqual([['name', true]]);
  expect(run?.output).toMatchObject({ blocks: [{ text: 'Ada' }] });
});

it('a form may be declined', async () => {
  const { run } = await answered(asking, ({ answer }) => answer({ action: 'decline' }));
  expect(run?.output).toMatchObject({ blocks: [{ text: 'decline' }] });
});

it('a person is the model', async () => {
  const accept = ({ answer }: Ask): void => answer({ action: 'accept', args: { answer: 'A heron.' } });
  const { ask, run } = await answered(sampling, accept);
  expect(ask.texts).toEqual(['system: be brief', 'user: What bird?', 'At most 9 tokens.']);
  expect(run?.output).toMatchObject({ blocks: [{ text: expect.stringContaining('A heron.') }] });
});

it('a request for the model may be declined', async () => {
  const { run } = await answered(sampling, ({ answer }) => answer({ action: 'decline' }));
  expect(run).toMatchObject({ state: 'failed', error: expect.any(RxmcpError) });
});

it('roots are shared with consent', async () => {
  const { ask, run } = await answered(rooted, ({ answer }) => answer({ action: 'accept', args: {} }));
  expect(ask.texts).toEqual(['file:///work']);
  expect(run?.output).toMatchObject({ blocks: [{ text: expect.stringContaining('file:///work') }] });
});
