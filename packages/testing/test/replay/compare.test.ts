import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { compare } from '../../src/replay/compare.js';
import { Ids } from '../../src/replay/ids.js';
import { describeDifference } from '../../src/replay/describe-difference.js';

const result = (value: unknown) => ({ jsonrpc: '2.0', id: 1, result: { value } });
const lenient = (wanted: unknown, got: unknown) => compare(result(wanted), result(got), new Ids(), 'lenient');

describe('a lenient comparison of arrays', () => {
  it.each([
    [
      ['a', 'c'],
      ['a', 'b', 'c'],
    ],
    [['a'], ['a', 'b']],
    [['b'], ['a', 'b']],
    [[], ['a']],
    [[{ name: 'a' }], [{ name: 'z' }, { name: 'a', more: [1] }]],
    [[['a']], [['b', 'a']]],
  ])('takes more entries: %j of %j', (wanted, got) => {
    expect(lenient(wanted, got)).toBeUndefined();
  });

  it.each([
    [['a', 'b'], ['a'], { path: 'result.value.1', expected: 'b', actual: undefined }],
    [['a', 'b'], ['b', 'a'], { path: 'result.value.0', expected: 'a', actual: 'b' }],
    [['a', 'b'], ['a', 'x', 'y'], { path: 'result.value.1', expected: 'b', actual: 'x' }],
    [[{ n: 1 }], [{ n: 2 }, { n: 3 }], { path: 'result.value.0.n', expected: 1, actual: 2 }],
  ])('reports a missing member: %j of %j', (wanted, got, difference) => {
    expect(lenient(wanted, got)).toEqual(difference);
  });

  it('takes all that entries were added to', () => {
    const parts = fc.array(fc.tuple(fc.jsonValue(), fc.boolean()), { maxLength: 8 });
    fc.assert(
      fc.property(parts, (all) => {
        const recorded = all.filter(([, isOld]) => isOld).map(([value]) => value);
        const live = all.map(([value]) => value);
        expect(lenient(recorded, live)).toBeUndefined();
      }),
    );
  });

  it.each(['strict', 'drawn'] as const)('is not %s', (how) => {
    expect(compare(result(['a']), result(['a', 'b']), new Ids(), how)).toMatchObject({
      path: 'result.value.1',
    });
  });
});

describe('more than was recorded', () => {
  const called = (more: object) => ({ jsonrpc: '2.0', id: 1, result: { user: { name: 'a' }, ...more } });
  it('is ignored anywhere within, whatever its name', () => {
    const live = called({ user: { name: 'a', id: 7, error: 'x', method: 'y' } });
    expect(compare(called({}), live, new Ids(), 'lenient')).toBeUndefined();
  });

  it.each([
    ['error', { ...called({}), error: { code: 1, message: 'no' } }],
    ['method', { ...called({}), method: 'a' }],
    ['result.isError', called({ isError: true })],
  ])('makes another message of it: %s', (path, live) => {
    expect(compare(called({}), live, new Ids(), 'lenient')).toMatchObject({ path });
  });
});

describe('dropped values', () => {
  const kept = result('<redacted>');
  it('equals anything, but not nothing', () => {
    for (const how of ['strict', 'drawn', 'lenient'] as const) {
      expect(compare(kept, result('x'), new Ids(), how)).toBeUndefined();
      const gone = compare(kept, { ...kept, result: {} }, new Ids(), how);
      expect(gone).toMatchObject({ path: 'result.value', actual: undefined });
    }
  });

  it('is no name of a request', () => {
    const asked = (progressToken: unknown) => ({
      jsonrpc: '2.0',
      id: 1,
      method: 'a',
      params: { _meta: { progressToken } },
    });
    const difference = compare(asked('<redacted>'), asked(1), new Ids(), 'strict');
    expect(difference).toMatchObject({ path: 'params._meta.progressToken' });
  });
});

describe('names', () => {
  const asked = (id: number, progressToken?: number) => ({
    jsonrpc: '2.0',
    id,
    method: 'a',
    params: progressToken === undefined ? {} : { _meta: { progressToken } },
  });
  it('of members may be any', () => {
    for (const name of ['constructor', 'toString', 'hasOwnProperty']) {
      const said = (value: unknown) => ({ ...result(1), [name]: value });
      expect(compare(said(1), said(2), new Ids(), 'strict')).toMatchObject({ path: name });
      expect(compare(said(1), said(1), new Ids(), 'strict')).toBeUndefined();
    }
  });

  it('are of one open request', () => {
    const ids = new Ids();
    expect(compare(asked(1, 1), asked(7, 7), ids, 'strict')).toBeUndefined();
    expect(compare(asked(2), asked(7), ids, 'strict')).toMatchObject({ path: 'id', actual: 7 });
    expect(compare(asked(2, 2), asked(8, 7), ids, 'strict')).toMatchObject({ actual: 7 });
    expect(compare(asked(2), asked(8, 7), ids, 'drawn')).toMatchObject({ actual: 7 });
    ids.translated({ jsonrpc: '2.0', id: 1, result: {} });
    expect(compare(asked(2, 2), asked(7, 7), ids, 'strict')).toBeUndefined();
    const batch = compare([asked(3), asked(4)], [asked(9), asked(9)], ids, 'strict');
    expect(batch).toMatchObject({ path: '1.id' });
  });
});

describe('two values that differ', () => {
  it('are short', () => {
    expect(describeDifference('a', undefined)).toBe('"a" was recorded, nothing came');
    expect(describeDifference(1, '1', 'drawn')).toBe('1 was drawn, "1" came');
    const message = describeDifference(
      { text: 'x'.repeat(10_000) },
      Array.from({ length: 10_000 }, () => 0),
    );
    expect(message.length).toBeLessThan(300);
  });

  it('show where long ones begin to differ', () => {
    const text = (middle: string) => `${'x'.repeat(5_000)}${middle}${'y'.repeat(5_000)}`;
    const message = describeDifference(text('old'), text('new'));
    expect(message).toMatch(/^…x+oldy+… was recorded, …x+newy+… came$/);
    expect(message.length).toBeLessThan(300);
  });
});
