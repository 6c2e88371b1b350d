import { concat, config, finalize, from, NEVER, of, switchMap, throwError } from 'rxjs';
import type { Observable } from 'rxjs';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { once } from '../../src/index.js';
import { hot } from '../../src/streams/hot.js';
import { crashes } from '../rig/crashes.js';
import { turn } from '../rig/turn.js';

const thrown: unknown[] = [];
beforeEach(() => {
  thrown.length = 0;
  config.onUnhandledError = (error) => void thrown.push(error);
});
afterEach(() => void (config.onUnhandledError = null));

const fail = (): never => {
  throw new Error('teardown');
};
/** A stream that does what the test sets, one microtask later. */
const later = (stream: Observable<number>): Observable<number> =>
  from(Promise.resolve()).pipe(switchMap(() => stream));

describe('once, of a stream whose teardown throws', () => {
  it.each<[string, Observable<number>, unknown]>([
    ['gives the value', concat(of(1), NEVER), 1],
    ['gives the error', throwError(() => 'mine'), 'mine'],
  ])('%s', async (_what, stream, expected) => {
    for (const source of [later(stream), stream]) {
      const given: unknown = await once(source.pipe(finalize(fail))).catch((error: unknown) => error);
      expect(given).toBe(expected);
    }
    await turn();
    expect(thrown.length).toBeGreaterThan(0);
  });

  it('reports that there was no value', async () => {
    const empty = once(later(of<number>()).pipe(finalize(fail)));
    await expect(empty).rejects.toMatchObject({ code: 'NO_RESULT' });
    await turn();
    expect(thrown).toHaveLength(1);
  });

  it('rejects with the reason of an abort, which other users of the signal receive too', async () => {
    const seen = crashes();
    const leaving = new AbortController();
    const { signal } = leaving;
    const reason = new Error('enough');
    const all = [NEVER.pipe(finalize(fail)), NEVER].map((stream) =>
      once(stream, { signal }).catch((error: unknown) => error),
    );
    leaving.abort(reason);
    expect(await Promise.all(all)).toEqual([reason, reason]);
    await turn();
    expect(thrown).toHaveLength(1);
    expect(seen).toEqual([]);
  });
});

it('the teardown of one subscriber that throws does not keep the end from others', async () => {
  const { stream, emit, complete } = hot<number>();
  const seen: unknown[] = [];
  stream.pipe(finalize(fail)).subscribe();
  stream.subscribe({ next: (n) => seen.push(n), complete: () => seen.push('complete') });
  emit(1);
  complete();
  expect(seen).toEqual([1, 'complete']);
  await turn();
  expect(thrown).toHaveLength(1);
});
