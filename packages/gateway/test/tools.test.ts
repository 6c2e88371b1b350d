import { once } from '@rxmcp/core';
import { logging, offerLogging } from '@rxmcp/logging';
import { tool, tools } from '@rxmcp/tools';
import { firstValueFrom, toArray } from 'rxjs';
import { describe, expect, it, vi } from 'vitest';
import { innerServer } from './inner.js';
import { gateway, modern, pairs, sentBy } from './rig.js';

describe.each(pairs)('tools, outer %s, inner %s', (...pair) => {
  it('lists them as they are, with the prefix', async () => {
    const { remote, inner } = await gateway(innerServer().offers, pair, { prefix: 'a' });
    const listed = await once(tools(remote).list());
    const original = await once(tools(inner).list());
    expect(listed).toEqual(original.map((one) => ({ ...one, name: `a-${one.name}` })));
    expect(listed[0]).toMatchObject({ inputSchema: { 'x-kept': 1 }, annotations: { readOnlyHint: true } });
  });

  it('passes results unchanged', async () => {
    const { remote } = await gateway(innerServer().offers, pair, { prefix: 'a' });
    const { call } = tools(remote);
    expect(await once(call('a-sum', { a: 1, b: 2 }))).toMatchObject({ structuredContent: { sum: 3 } });
    expect(await once(call('a-fail'))).toEqual({ content: [{ type: 'text', text: 'no' }], isError: true });
    await expect(once(call('a-reject'))).rejects.toMatchObject({
      code: -31999,
      message: 'rejected',
      data: { reason: 'test' },
    });
  });

  it('passes progress and logs', async () => {
    const { remote, inner } = await gateway(innerServer().offers, pair, {}, [offerLogging()]);
    await once(logging(inner).setLevel('debug'));
    await once(logging(remote).setLevel('info'));
    const events = await firstValueFrom(
      tools(remote).events('report', {}, { logLevel: 'info' }).pipe(toArray()),
    );
    expect(events).toMatchObject([
      { type: 'progress', progress: 1, total: 2, message: 'half' },
      { type: 'log', level: 'warning', data: { at: 1 }, logger: 'report' },
      { type: 'progress', progress: 2, total: 2 },
      { type: 'result', result: { content: [{ text: 'reported' }] } },
    ]);
  });

  it('asks for logs only if the client does', async () => {
    const { remote, inner } = await gateway(innerServer().offers, pair, {}, [offerLogging()]);
    const levels: unknown[] = [];
    inner.wire$.subscribe(({ direction, message }) => {
      const { method, params } = message as { method?: string; params?: { _meta?: object } };
      if (direction === 'out' && method === 'tools/call')
        levels.push({ ...params?._meta }['io.modelcontextprotocol/logLevel' as never]);
    });
    await once(tools(remote).call('report'));
    await once(logging(remote).setLevel('error'));
    await once(tools(remote).call('report'));
    expect(levels).toEqual(pair[1] === modern ? [undefined, 'error'] : [undefined, undefined]);
  });

  it('cancels the inner call when the outer one is cancelled', async () => {
    const own = innerServer();
    const { remote, inner } = await gateway(own.offers, pair);
    const sent = sentBy(inner);
    const waiting = firstValueFrom(own.waiting$);
    const cancelled = firstValueFrom(own.cancelled$);
    const call = tools(remote).call('wait').subscribe();
    await waiting;
    call.unsubscribe();
    await cancelled;
    expect(sent.filter((method) => method === 'notifications/cancelled')).toHaveLength(1);
  });

  it('announces a changed list', async () => {
    const own = innerServer();
    const { remote } = await gateway(own.offers, pair, { prefix: 'a' });
    const names: string[][] = [];
    tools(remote).list$.subscribe((list) => names.push(list.map(({ name }) => name)));
    await vi.waitFor(() => expect(names).toHaveLength(1));
    own.tools$.next([tool('new', () => 'new')]);
    await vi.waitFor(() => expect(names.at(-1)).toEqual(['a-new']));
    expect(names).toHaveLength(2);
  });

  it('filters and renames', async () => {
    const { remote } = await gateway(innerServer().offers, pair, {
      filter: (item, kind) => kind !== 'tool' || item.name !== 'wait',
      rename: (name, kind) => `${kind}_${name}`,
      prefix: 'x',
    });
    const names = (await once(tools(remote).list())).map(({ name }) => name);
    expect(names).toEqual(['x-tool_sum', 'x-tool_fail', 'x-tool_reject', 'x-tool_report']);
    await expect(once(tools(remote).call('wait'))).rejects.toMatchObject({ code: -32602 });
    expect(await once(tools(remote).call('x-tool_sum', { a: 1, b: 1 }))).toMatchObject({
      structuredContent: { sum: 2 },
    });
  });
});
