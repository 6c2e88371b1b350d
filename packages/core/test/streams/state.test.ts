import { firstValueFrom, retry, take, toArray } from 'rxjs';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { RpcError } from '../../src/index.js';
import { counting, sub, watch } from '../rig/counting.js';
import { connected, lost } from '../rig/raw-server.js';
import { turn } from '../rig/turn.js';

afterEach(() => void vi.useRealTimers());

describe.each(['modern', 'legacy'] as const)('state over %s', (era) => {
  it('on subscribe: the first opens the feed and reads after the acknowledgement', async () => {
    const { server, methods } = counting(era);
    const remote = await connected(server);
    const value = watch(remote, 'a:/x');
    await turn();
    expect(methods()).toEqual([]);
    expect(await firstValueFrom(value)).toBe(1);
    expect(methods().slice(0, 2)).toEqual([
      era === 'modern' ? 'subscriptions/listen' : 'resources/subscribe',
      'x/read',
    ]);
  });

  it('any number of readers share one wire subscription and one reading', async () => {
    const { server, listens, methods, changed } = counting(era);
    const remote = await connected(server);
    const seen: number[][] = [[], [], []];
    for (const list of seen) watch(remote, 'a:/x').subscribe((n) => list.push(n));
    await turn();
    changed('a:/x');
    await turn();
    expect(seen).toEqual([
      [1, 2],
      [1, 2],
      [1, 2],
    ]);
    expect(listens()).toHaveLength(1);
    expect(methods().filter((m) => m === 'x/read')).toHaveLength(2);
  });

  it('replay: the last value, inside subscribe', async () => {
    const { server } = counting(era);
    const remote = await connected(server);
    watch(remote, 'a:/x').subscribe();
    await turn();
    let value: number | undefined;
    watch(remote, 'a:/x')
      .subscribe((n) => (value = n))
      .unsubscribe();
    expect(value).toBe(1);
  });

  it('on unsubscribe: the last one out closes the feed one macrotask later, unless another came', async () => {
    vi.useFakeTimers();
    const { server, methods } = counting(era);
    const remote = await connected(server);
    const first = watch(remote, 'a:/x').subscribe();
    await turn();
    const before = methods().length;
    first.unsubscribe();
    const second = watch(remote, 'a:/x').subscribe();
    await turn();
    expect(methods()).toHaveLength(before);
    second.unsubscribe();
    expect(methods()).toHaveLength(before);
    await turn();
    expect(methods().slice(before)).toEqual([
      era === 'modern' ? 'notifications/cancelled' : 'resources/unsubscribe',
    ]);
  });

  it('completes on a local close, also while it reads; a late subscriber gets that at once', async () => {
    const { server } = counting(era, (frame) => (frame.method === 'x/read' ? undefined : undefined));
    const remote = await connected(server);
    const seen: string[] = [];
    const observer = (list: string[]) => ({
      next: () => list.push('next'),
      error: () => list.push('error'),
      complete: () => list.push('complete'),
    });
    watch(remote, 'a:/x').subscribe(observer(seen));
    await turn();
    const wire = server.pipes[0] as (typeof server.pipes)[0];
    wire.onFrame = undefined;
    wire.put({
      jsonrpc: '2.0',
      method: 'notifications/resources/updated',
      params: {
        uri: 'a:/x',
        _meta: { [sub]: wire.sent.find((f) => f.method === 'subscriptions/listen')?.id },
      },
    });
    await turn();
    await remote.close();
    expect(seen).toEqual(['next', 'complete']);
    const late: string[] = [];
    watch(remote, 'a:/x').subscribe(observer(late));
    expect(late).toEqual(['complete']);
    const fresh: string[] = [];
    watch(remote, 'a:/never-seen').subscribe(observer(fresh));
    await turn();
    expect(fresh).toEqual(['complete']);
  });

  it('errors when the remote is lost, with its cause', async () => {
    const { server } = counting(era, undefined, { redialable: false });
    const remote = await connected(server);
    const errors: unknown[] = [];
    watch(remote, 'a:/x').subscribe({ error: (e) => errors.push(e) });
    await turn();
    const cause = lost();
    server.pipes[0]?.end(cause);
    await turn();
    watch(remote, 'a:/x').subscribe({ error: (e) => errors.push(e) });
    expect(errors).toEqual([cause, cause]);
  });

  it('a reading that fails is an error; retry reads again on the wire', async () => {
    let fails = 2;
    const { server, methods } = counting(era, (frame) =>
      frame.method === 'x/read' && fails-- > 0 ? { error: { code: -31999, message: 'no' } } : undefined,
    );
    const remote = await connected(server);
    const error: unknown = await firstValueFrom(watch(remote, 'a:/x')).catch((e: unknown) => e);
    expect(RpcError.is(error)).toBe(true);
    expect(await firstValueFrom(watch(remote, 'a:/x').pipe(retry(3)))).toBe(1);
    expect(methods().filter((m) => m === 'x/read')).toHaveLength(3);
  });

  it('survives a redial: the feed is opened again and read after the acknowledgement', async () => {
    const { server, listens } = counting(era);
    const remote = await connected(server);
    const seen = firstValueFrom(watch(remote, 'a:/x').pipe(take(2), toArray()));
    await turn();
    server.pipes[0]?.end(lost());
    expect(await seen).toEqual([1, 2]);
    expect(listens(2)).toHaveLength(1);
  });

  it('a notice names a sub-resource: the exact uri first, then the longest watched prefix at a boundary', async () => {
    vi.useFakeTimers();
    const { server, changed } = counting(era);
    const remote = await connected(server);
    const seen: string[] = [];
    for (const uri of ['a:/dir', 'a:/dir/sub', 'a:/dir/sub/leaf', 'a:/di'])
      watch(remote, uri).subscribe(() => seen.push(uri));
    await turn();
    const expected: [string, string | undefined][] = [
      ['a:/dir/sub/leaf', 'a:/dir/sub/leaf'],
      ['a:/dir/sub/other', 'a:/dir/sub'],
      ['a:/dir/x', 'a:/dir'],
      ['a:/dir?q', 'a:/dir'],
      ['a:/directory', undefined],
      ['a:/d', undefined],
    ];
    for (const [uri, reader] of expected) {
      seen.length = 0;
      // One value is read again every 50 ms at most.
      await vi.advanceTimersByTimeAsync(50);
      changed(uri);
      await turn();
      expect(seen, uri).toEqual(reader === undefined ? [] : [reader]);
    }
  });

  it('changes while it reads lead to one more reading', async () => {
    const { server, changed, methods } = counting(era);
    const remote = await connected(server);
    watch(remote, 'a:/x').subscribe();
    await turn();
    for (let i = 0; i < 50; i += 1) changed('a:/x');
    await turn();
    expect(methods().filter((m) => m === 'x/read').length).toBeLessThanOrEqual(3);
  });
});
