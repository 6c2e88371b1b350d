import { defineClient } from 'rxmcp';
import { tools } from 'rxmcp/tools';
import { afterEach, beforeEach, describe, expect, vi } from 'vitest';
import { clause } from './stage/clause.js';
import { desk } from './stage/desk.js';
import { legacy, metaOf, modern } from './stage/frame.js';
import { rawClient } from './stage/raw-client.js';
import { clientOf, rawServer } from './stage/raw-server.js';
import { turn } from './stage/turn.js';

const quiet = { error: () => undefined };

describe.each([modern, ...legacy])('a server of %s', (version) => {
  const meta = version === modern ? { _meta: metaOf() } : {};

  clause(
    ['26/cancellation/12', '11/cancellation/4', '26/stdio/10'],
    'stops what is cancelled, frees it, and says nothing more of it',
    async () => {
      const { server, slow } = desk();
      const raw = await rawClient(server);
      if (version !== modern) await raw.shake(version);
      const before = raw.frames.length;
      raw.put({ id: 'long', method: 'tools/call', params: { name: 'slow', ...meta } });
      await raw.quiet();
      expect(slow()).toBe(1);
      raw.put({ method: 'notifications/cancelled', params: { requestId: 'long', reason: 'enough' } });
      await raw.quiet();
      expect(slow()).toBe(0);
      expect(raw.frames.length).toBe(before);
      // Its id is free again.
      expect((await raw.ask({ id: 'long', method: 'tools/list', params: meta })).result).toBeDefined();
    },
  );

  clause(['26/cancellation/15'], 'passes the reason on', async () => {
    const { server, why } = desk();
    const raw = await rawClient(server);
    if (version !== modern) await raw.shake(version);
    raw.put({ id: 1_000, method: 'tools/call', params: { name: 'slow', ...meta } });
    await raw.quiet();
    raw.put({ method: 'notifications/cancelled', params: { requestId: 1_000, reason: 'changed my mind' } });
    await raw.quiet();
    expect(String(why())).toContain('changed my mind');
  });

  clause(
    ['26/cancellation/14', '26/cancellation/17'],
    'ignores a cancel of what is unknown, answered already, or named badly',
    async () => {
      const raw = await rawClient(desk().server);
      if (version !== modern) await raw.shake(version);
      await raw.ask({ id: 'done', method: 'tools/list', params: meta });
      const before = raw.frames.length;
      for (const params of [
        { requestId: 'done' },
        { requestId: 'never' },
        { requestId: null },
        {},
        undefined,
      ]) {
        raw.put({ method: 'notifications/cancelled', ...(params === undefined ? {} : { params }) });
      }
      await raw.quiet();
      expect(raw.frames.length).toBe(before);
      expect((await raw.ask({ id: 'next', method: 'tools/list', params: meta })).result).toBeDefined();
    },
  );
});

describe.each([modern, ...legacy])('a client of %s', (version) => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  clause(
    ['26/cancellation/1', '26/cancellation/5', '26/stdio/9', '26/cancellation/10', '11/cancellation/1'],
    'that leaves a call cancels it, once, by its id',
    async () => {
      const server = rawServer(() => undefined, version);
      const { remote } = await clientOf(server);
      const left = tools(remote).call('slow').subscribe(quiet);
      await turn();
      left.unsubscribe();
      left.unsubscribe();
      await turn();
      const [call, cancel, ...more] = server.asked();
      expect(call?.method).toBe('tools/call');
      expect(cancel).toMatchObject({ method: 'notifications/cancelled', params: { requestId: call?.id } });
      expect(more).toEqual([]);
    },
  );

  clause(
    ['26/cancellation/10', '26/cancellation/13', '11/cancellation/5'],
    'cancels nothing that was answered, and ignores what comes after a cancel',
    async () => {
      const server = rawServer(
        ({ params }) => (params?.['name'] === 'slow' ? undefined : { result: done }),
        version,
      );
      const { remote, faults } = await clientOf(server);
      const answered = tools(remote).call('quick').subscribe(quiet);
      await turn();
      answered.unsubscribe();
      const seen: unknown[] = [];
      const left = tools(remote)
        .call('slow')
        .subscribe({ next: (value) => seen.push(value), ...quiet });
      await turn();
      const { id } = server.asked().at(-1) as { id: unknown };
      left.unsubscribe();
      server.put({ id, result: done });
      await turn();
      expect(seen).toEqual([]);
      expect(faults).toEqual([]);
      expect(server.asked().filter(({ method }) => method === 'notifications/cancelled')).toHaveLength(1);
    },
  );

  clause(
    ['26/cancellation/6', '26/cancellation/7', '26/cancellation/8'],
    'cancels a call that takes longer than it was given, and waits no more',
    async () => {
      const server = rawServer(() => undefined, version);
      const { remote } = await clientOf(server);
      const ended: unknown[] = [];
      for (const timeoutMs of [undefined, 5_000]) {
        const options = timeoutMs === undefined ? {} : { idleTimeoutMs: timeoutMs };
        tools(remote)
          .call('slow', {}, options)
          .subscribe({ error: (error: { code: string }) => ended.push([timeoutMs, error.code]) });
      }
      await turn();
      await vi.advanceTimersByTimeAsync(5_001);
      expect(ended).toEqual([[5_000, 'TIMEOUT']]);
      await vi.advanceTimersByTimeAsync(54_998);
      expect(ended).toHaveLength(1);
      await vi.advanceTimersByTimeAsync(1);
      expect(ended).toEqual([
        [5_000, 'TIMEOUT'],
        [undefined, 'TIMEOUT'],
      ]);
      await turn();
      const cancelled = server.asked().filter(({ method }) => method === 'notifications/cancelled');
      const called = server.asked().filter(({ method }) => method === 'tools/call');
      expect(cancelled.map(({ params }) => params?.['requestId']).sort()).toEqual(
        called.map(({ id }) => id).sort(),
      );
    },
  );

  clause(['26/cancellation/9'], 'ends a call at its total time, whatever progress it makes', async () => {
    const server = rawServer(() => undefined, version);
    const { remote } = await clientOf(server);
    const ended: string[] = [];
    tools(remote)
      .call('slow', {}, { idleTimeoutMs: 2_000, totalTimeoutMs: 5_000 })
      .subscribe({ error: (error: { code: string }) => ended.push(error.code) });
    await turn();
    const { params } = server.asked()[0] as { params: { _meta: { progressToken: unknown } } };
    for (let second = 1; second <= 4; second += 1) {
      await vi.advanceTimersByTimeAsync(1_000);
      const progressToken = params._meta.progressToken;
      server.put({ method: 'notifications/progress', params: { progressToken, progress: second } });
      await turn();
    }
    expect(ended).toEqual([]);
    await vi.advanceTimersByTimeAsync(1_001);
    expect(ended).toEqual(['TIMEOUT']);
  });
});

describe.each(legacy)('the handshake of %s', (version) => {
  clause(['11/cancellation/2'], 'is not cancelled by a client that aborts', async () => {
    const server = rawServer(() => undefined, 'own');
    const giving = new AbortController();
    const client = defineClient({ info: { name: 'c', version: '1' }, versions: [version] });
    const failed = client.connect(server.transport, { signal: giving.signal }).catch(() => 'aborted');
    await turn();
    expect(server.frames.map(({ method }) => method)).toEqual(['initialize']);
    giving.abort();
    expect(await failed).toBe('aborted');
    await turn();
    expect(server.frames.map(({ method }) => method)).toEqual(['initialize']);
  });

  clause(['11/cancellation/2'], 'is not cancelled after a call that was cancelled', async () => {
    const server = rawServer(() => undefined, version);
    const { remote } = await clientOf(server);
    for (const method of ['initialize', 'tools/list']) remote.request(method, {}).subscribe().unsubscribe();
    await turn();
    const told = server.frames.slice(-3).map(({ method, params }) => [method, params?.['requestId']]);
    const listed = server.frames.find(({ method }) => method === 'tools/list');
    expect(told).toEqual([
      ['initialize', undefined],
      ['tools/list', undefined],
      ['notifications/cancelled', listed?.id],
    ]);
  });
});

const done = { content: [{ type: 'text', text: 'done' }] };
