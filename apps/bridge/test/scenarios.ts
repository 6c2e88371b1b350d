import { afterAll, expect, it, onTestFinished } from 'vitest';
import type { Transport } from 'rxmcp/transport';
import type { Client, Remote } from 'rxmcp';
import { once } from 'rxmcp';
import { logging } from 'rxmcp/logging';
import { prompts } from 'rxmcp/prompts';
import { resources } from 'rxmcp/resources';
import { tools } from 'rxmcp/tools';
import type { AtEnd } from './joins.js';
import { answering, scene } from './scenes.js';
import { until } from './until.js';

/** Makes a way to a server. */
export type Way = (
  server: ReturnType<typeof scene>['server'],
  atEnd: AtEnd,
) => Promise<Transport> | Transport;

/** What holds over a direct link holds over any other way. `many`: how many calls are made at a time. */
export function scenarios(version: string, way: Way, many = 50): void {
  const modern = version === '2026-07-28';
  const closers: (() => Promise<void>)[] = [];
  const stage = scene();
  const faults: string[] = [];
  stage.server.faults$.subscribe(({ code, message }) => faults.push(`${code}: ${message}`));
  let there: Promise<Transport> | undefined;
  let first: Promise<Remote> | undefined;
  const connect = async (client: Client): Promise<Remote> => {
    there ??= Promise.resolve(way(stage.server, (close) => closers.unshift(close)));
    const remote = await client.connect(await there);
    remote.faults$.subscribe(({ code, message }) => faults.push(`${code}: ${message}`));
    return remote;
  };
  afterAll(async () => {
    for (const close of closers) await close();
  });
  /** One client for all. */
  const common = async () => {
    const remote = await connect(answering(version));
    closers.unshift(() => remote.close());
    return remote;
  };
  /** One that ends after its test. */
  const own = async (client: Client) => {
    const remote = await connect(client);
    onTestFinished(() => remote.close());
    return remote;
  };
  /** The server as it was in the beginning, with the one client for all, or with one of its own. */
  const opened = async (client?: Client) => {
    const remote = await (client === undefined ? (first ??= common()) : own(client));
    stage.value.next(1);
    stage.tools.next(stage.fixed);
    // What the test before left on its way is here when this is answered.
    await textOf(remote, 'echo');
    for (const list of [stage.torn, stage.told, faults]) list.length = 0;
    return { ...stage, remote, faults };
  };
  const textOf = async (remote: Remote, name: string, args = {}) =>
    (await once(tools(remote).call(name, args))).content
      .map((block) => block.type === 'text' && block.text)
      .join();

  it('reports the answering side, its revision and its response', async () => {
    const { remote } = await opened();
    expect(remote.version).toBe(version);
    expect(remote.info).toMatchObject({ name: 'behind', version: '1.2.3' });
    expect(remote.instructions).toBe('use it well');
    expect(remote.capabilities).toMatchObject({
      tools: { listChanged: true },
      resources: { subscribe: true },
      prompts: {},
      logging: {},
    });
  });

  it('lists, calls, reads, prompts, and custom methods', async () => {
    const { remote, faults } = await opened();
    expect((await once(tools(remote).list())).map(({ name }) => name)).toContain('hang');
    expect(await textOf(remote, 'echo', { a: [1, { b: null }] })).toBe('{"a":[1,{"b":null}]}');
    expect(await once(resources(remote).read('v://now'))).toMatchObject([{ text: '1' }]);
    expect((await once(prompts(remote).get('hello'))).messages).toHaveLength(1);
    expect(await once(remote.request('x/own', { n: 1 }))).toMatchObject({ got: { n: 1 } });
    expect(faults).toEqual([]);
  });

  it('many at a time, each its own response', async () => {
    const { remote } = await opened();
    const all = Array.from({ length: many }, (_, n) => textOf(remote, 'echo', { n }));
    expect(await Promise.all(all)).toEqual(all.map((_, n) => `{"n":${String(n)}}`));
  });

  it('progress, before its result', async () => {
    const { remote } = await opened();
    const events: unknown[] = [];
    await tools(remote)
      .events('count')
      .forEach((e) => void events.push(e.type === 'progress' ? [e.progress, e.total, e.message] : e.type));
    // The oldest revision has no words for progress.
    const words = (step: number) => (remote.version === '2024-11-05' ? undefined : `step ${step}`);
    expect(events).toEqual([...[1, 2, 3].map((step) => [step, 3, words(step)]), 'result']);
  });

  it('logs', async () => {
    // The level that it sets is that of its connection.
    const { remote } = await opened(answering(version));
    const records: unknown[] = [];
    const heard = logging(remote).records$.subscribe(({ level, data }) => records.push([level, data]));
    onTestFinished(() => heard.unsubscribe());
    await once(logging(remote).setLevel('info'));
    await textOf(remote, 'count');
    await until(() => records.length === 1);
    expect(records).toEqual([['info', { at: 'start' }]]);
    if (!modern) return;
    const own: unknown[] = [];
    await tools(remote)
      .events('count', {}, { logLevel: 'debug' })
      .forEach((e) => void (e.type === 'log' && own.push(e.data)));
    expect(own).toEqual([{ at: 'start' }]);
  });

  it('a cancel', async () => {
    const { remote, torn } = await opened();
    const subscription = tools(remote).call('hang').subscribe();
    expect(await textOf(remote, 'echo')).toBe('{}');
    subscription.unsubscribe();
    await until(() => torn.length === 1);
    expect(await textOf(remote, 'echo')).toBe('{}');
  });

  it('errors, as they were answered', async () => {
    const { remote } = await opened();
    await expect(textOf(remote, 'no-such')).rejects.toMatchObject({ code: -32602 });
    await expect(once(remote.request('x/none'))).rejects.toMatchObject({ code: -32601 });
    await expect(once(resources(remote).read('v://none'))).rejects.toMatchObject({
      code: modern ? -32602 : -32002,
    });
    const failed = await once(tools(remote).call('fails'));
    expect(failed.isError).toBe(true);
    expect(JSON.stringify(failed)).not.toContain('secret');
  });

  it('questions to the model and for roots', async () => {
    const { remote, faults } = await opened();
    expect(await textOf(remote, 'summarise')).toBe('model said {"type":"text","text":"yes"}');
    expect(await textOf(remote, 'where')).toBe('file:///here');
    expect(faults).toEqual([]);
  });

  // Older revisions have no forms.
  if (version >= '2025-06-18')
    it('questions to the user', async () => {
      const { remote } = await opened();
      expect(await textOf(remote, 'form')).toBe('{"action":"accept","content":{"name":"Ada"}}');
    });

  it('a client that cannot answer is not asked', async () => {
    const { remote } = await opened(answering(version, { offers: [] }));
    const asked = textOf(remote, 'where');
    await expect(asked).rejects.toMatchObject({ code: modern ? -32021 : -31002 });
  });

  it('a watched resource, and one that is not watched any more', async () => {
    const { remote, value, server } = await opened();
    const seen: unknown[] = [];
    const first = resources(remote)
      .watch('v://now')
      .subscribe(([now]) => seen.push(now !== undefined && 'text' in now && now.text));
    await until(() => seen.length === 1);
    value.next(2);
    await until(() => seen.at(-1) === '2');
    first.unsubscribe();
    const open: number[] = [];
    const counted = server.connections$.subscribe((all) =>
      open.push(all.reduce((sum, { subscriptions }) => sum + subscriptions, 0)),
    );
    onTestFinished(() => counted.unsubscribe());
    await until(() => open.at(-1) === 0);
  });

  it('a list that changes', async () => {
    const { remote, tools: offered, fixed } = await opened();
    const sizes: number[] = [];
    const live = tools(remote).list$.subscribe((list) => sizes.push(list.length));
    await until(() => sizes.length === 1);
    offered.next(fixed.slice(1));
    await until(() => sizes.length === 2);
    expect(sizes).toEqual([fixed.length, fixed.length - 1]);
    live.unsubscribe();
  });

  it('custom notifications', async () => {
    const { remote, told } = await opened();
    await remote.notify('x/tell', { n: 7 });
    await until(() => told.length === 1);
    expect(told).toEqual([{ n: 7 }]);
  });

  it('the end, by the client', async () => {
    const { remote, torn } = await opened();
    tools(remote)
      .call('hang')
      .subscribe({ error: () => undefined });
    await textOf(remote, 'echo');
    await remote.close();
    await until(() => torn.length === 1);
  });
}
