import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { Subject } from 'rxjs';
import { cachedPart } from '../src/index.js';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

function counted(keepMs?: number, maxKeys?: number) {
  const made: string[] = [];
  const part = cachedPart(
    (key) => {
      made.push(key);
      return `${key}${made.length}`;
    },
    { ...(keepMs === undefined ? {} : { ttlMs: keepMs }), ...(maxKeys === undefined ? {} : { maxKeys }) },
  );
  return { made, part };
}

it('is made at the first request, once for all callers', async () => {
  const { made, part } = counted();
  expect(made).toEqual([]);
  expect(await Promise.all([part.get(), part.get(), part.get('k')])).toEqual(['1', '1', 'k2']);
  expect(await part.get()).toBe('1');
});

it('is made anew once it was invalidated, one key or all', async () => {
  const { made, part } = counted();
  const changed$ = new Subject<string | undefined>();
  changed$.subscribe((key) => part.invalidate(key));
  await Promise.all([part.get('a'), part.get('b')]);
  changed$.next('a');
  expect(await Promise.all([part.get('a'), part.get('b')])).toEqual(['a3', 'b2']);
  changed$.next(undefined);
  await Promise.all([part.get('a'), part.get('b')]);
  expect(made).toEqual(['a', 'b', 'a', 'a', 'b']);
});

it('invalidated while it is made, it goes only to callers that already wait', async () => {
  const answers: ((value: string) => void)[] = [];
  const part = cachedPart(() => new Promise<string>((resolve) => answers.push(resolve)));
  const before = part.get();
  await Promise.resolve();
  part.invalidate();
  const after = part.get();
  await Promise.resolve();
  answers[1]?.('new');
  answers[0]?.('old');
  expect(await Promise.all([before, after, part.get()])).toEqual(['old', 'new', 'new']);
  expect(answers).toHaveLength(2);
});

it('a failure is not kept', async () => {
  let failing = true;
  const part = cachedPart(() => {
    if (failing) throw new Error('no');
    return 'yes';
  });
  await expect(part.get()).rejects.toThrow('no');
  failing = false;
  expect(await part.get()).toBe('yes');
});

it('stays valid for maxAgeMs after it was made', async () => {
  const { part } = counted(1_000);
  expect(await part.get()).toBe('1');
  vi.advanceTimersByTime(999);
  expect(await part.get()).toBe('1');
  vi.advanceTimersByTime(1);
  expect(await part.get()).toBe('2');
});

it('keeps a bounded number of keys, the most recently used', async () => {
  const { made, part } = counted(undefined, 2);
  for (const key of ['a', 'b', 'a', 'c', 'a', 'b']) await part.get(key);
  expect(made).toEqual(['a', 'b', 'c', 'b']);
});

it.each([{ ttlMs: 0 }, { ttlMs: Number.NaN }, { maxKeys: 0 }, { maxKeys: 1.5 }])('refuses %j', (options) => {
  expect(() => cachedPart(() => 1, options)).toThrow(TypeError);
});
