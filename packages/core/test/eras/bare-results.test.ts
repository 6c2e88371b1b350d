import { describe, expect, it } from 'vitest';
import { once } from '../../src/index.js';
import { connected, rawServer } from '../rig/raw-server.js';

const server = 'io.modelcontextprotocol/serverInfo';

describe('a call returns the same in both eras', () => {
  const given = async (result: object, era: 'modern' | 'legacy' = 'modern'): Promise<object> => {
    const raw = rawServer(({ method }) => (method === 'x/y' ? { result } : undefined), { era });
    return once((await connected(raw)).request<object>('x/y'));
  };

  it('without the members of the modern era', async () => {
    const result = { resultType: 'complete', content: [], _meta: { [server]: { name: 's', version: '1' } } };
    expect(await given(result)).toEqual({ content: [] });
    expect(await given({ content: [] }, 'legacy')).toEqual({ content: [] });
  });

  it('with all members that do not belong to the era', async () => {
    const odd = JSON.parse('{"__proto__":1,"x":{"resultType":"complete"},"_meta":{"a/b":1}}') as object;
    expect(JSON.stringify(await given(odd))).toBe(JSON.stringify(odd));
    const meta = { [server]: { name: 's' }, 'a/b': 1, progressToken: 0 };
    expect(await given({ resultType: 'complete', _meta: meta })).toEqual({
      _meta: { 'a/b': 1, progressToken: 0 },
    });
  });

  it.each([1, null, [], 'x'])('with an invalid `_meta`: %j', async (_meta) => {
    expect(await given({ resultType: 'complete', _meta })).toEqual({ _meta });
  });

  it('with what an older revision calls a result type', async () => {
    expect(await given({ resultType: 'complete' }, 'legacy')).toEqual({ resultType: 'complete' });
  });

  it('while an observer of the wire sees all of it', async () => {
    const result = { resultType: 'complete', _meta: { [server]: { name: 's' } } };
    const raw = rawServer(({ method }) => (method === 'x/y' ? { result } : undefined));
    const remote = await connected(raw);
    const wire: unknown[] = [];
    remote.wire$.subscribe(({ direction, message }) => direction === 'in' && wire.push(message));
    await once(remote.request('x/y'));
    expect(wire).toMatchObject([{ result }]);
  });
});
