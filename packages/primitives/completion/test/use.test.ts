import { Subject } from 'rxjs';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { JsonObject, HandlerResult } from '@rxmcp/core';
import { once } from '@rxmcp/core';
import { defineOffer } from '@rxmcp/core/internal';
import { memory } from '@rxmcp/memory';
import { connectedPair } from '@rxmcp/testing';
import type { Completion } from '../src/index.js';
import { completion, offerCompletion } from '../src/index.js';

const answering = (
  version: string,
  declared: boolean,
  handle: (params: JsonObject) => HandlerResult<JsonObject>,
) => {
  const offer = defineOffer({
    name: 'completion',
    side: 'server',
    capabilities: declared ? { completions: {} } : {},
    methods: [{ method: 'completion/complete', handle }],
  });
  return connectedPair({ server: [offer], version, link: memory(), onCleanup: onTestFinished });
};

describe('the response of a server', () => {
  const asked = async (completed: unknown) => {
    const pair = await answering('2026-07-28', true, () => ({ completion: completed }));
    return { pair, response: once(completion(pair.remote).prompt('p', 'a', '')) };
  };

  it('is accepted with unknown members, and without optional ones of a wrong type', async () => {
    const { response } = await asked({ values: ['a'], total: '1', hasMore: 'no', later: 1 });
    expect(await response).toEqual({ values: ['a'], later: 1 });
  });

  it('is cut at 100 values, and a fault reports it', async () => {
    const values = Array.from({ length: 101 }, (_, index) => `n${index}`);
    const { response, pair } = await asked({ values });
    expect(await response).toEqual({ values: values.slice(0, 100), hasMore: true });
    expect(pair.clientFaults).toMatchObject([{ code: 'TOO_MANY_VALUES' }]);
  });

  it.each([
    [undefined, '"completion" is not a JSON object'],
    [{}, '"values" is no array'],
    [{ values: ['a', 1] }, '"values[1]" is no string'],
  ])('%j is INVALID_RESULT', async (completed, problem) => {
    const { response } = await asked(completed);
    await expect(response).rejects.toMatchObject({
      code: 'INVALID_RESULT',
      message: `completion/complete "a": ${problem}`,
    });
  });
});

describe('a server that does not declare completion', () => {
  const values = (): JsonObject => ({ completion: { values: ['a'] } });

  it.each(['2025-03-26', '2025-06-18', '2025-11-25', '2026-07-28'])('is not asked in %s', async (version) => {
    const { remote } = await answering(version, false, values);
    const out: unknown[] = [];
    remote.wire$.subscribe((event) => out.push(event));
    await expect(once(completion(remote).prompt('p', 'a', ''))).rejects.toMatchObject({
      code: 'CAPABILITY_NOT_SUPPORTED',
    });
    expect(out).toEqual([]);
  });

  it('is requested in 2024-11-05, which has no capability for it', async () => {
    const { remote } = await answering('2024-11-05', false, values);
    expect(await once(completion(remote).prompt('p', 'a', ''))).toEqual({ values: ['a'] });
  });
});

it('arguments of a wrong type come back as an error of the stream', async () => {
  const { remote } = await answering('2026-07-28', true, () => ({}));
  const { prompt, template } = completion(remote);
  const out: unknown[] = [];
  remote.wire$.subscribe((event) => out.push(event));
  for (const wrong of [
    prompt(1 as never, 'a', ''),
    template(undefined as never, 'a' as never, ''),
    prompt('p', undefined as never, ''),
    prompt('p', 'a', 1 as never),
    prompt('p', 'a', '', { arguments: [] as never }),
    prompt('p', 'a', '', { arguments: { b: 1 as never } }),
  ])
    await expect(once(wrong)).rejects.toMatchObject({ code: 'INVALID_PARAMS' });
  expect(out).toEqual([]);
});

it('belongs to the remote: attaching twice is one and the same', async () => {
  const { remote } = await answering('2026-07-28', true, () => ({}));
  expect(completion(remote)).toBe(completion(remote));
});

describe.each(['2025-11-25', '2026-07-28'])('completing while a user types in %s', (version) => {
  const rig = async () => {
    const asked: JsonObject[] = [];
    const answers: ((values: readonly string[]) => void)[] = [];
    const gone: unknown[] = [];
    const arrived = new Subject<void>();
    const { remote } = await connectedPair({
      server: [
        offerCompletion({
          prompts: {
            p: {
              a: (typed, ctx, filled) =>
                new Promise((resolve) => {
                  asked.push({ typed, filled });
                  answers.push(resolve);
                  ctx.signal.addEventListener('abort', () => gone.push(typed));
                  arrived.next();
                }),
            },
          },
          templates: { 'x:/{v}': { v: (typed) => [`${typed}!`] } },
        }),
      ],
      version,
      link: memory(),
      onCleanup: onTestFinished,
    });
    const type = async (keys: Subject<string>, value: string): Promise<void> => {
      const here = once(arrived);
      keys.next(value);
      await here;
    };
    return { remote, asked, answers, gone, type };
  };

  it('a new value cancels the request for the one before', async () => {
    const { remote, asked, answers, gone, type } = await rig();
    const sent: unknown[] = [];
    remote.wire$.subscribe(({ direction, message }) => {
      if (direction === 'out') sent.push((message as JsonObject)['method']);
    });
    const keys = new Subject<string>();
    let language = 'Python';
    const seen: Completion[] = [];
    let completed = false;
    const over = new Promise<void>((resolve) => {
      keys
        .pipe(completion(remote).promptTypeahead('p', 'a', { arguments: () => ({ language }) }))
        .subscribe({ next: (one) => seen.push(one), complete: () => resolve(void (completed = true)) });
    });
    await type(keys, 'f');
    language = 'Tcl';
    await type(keys, 'fl');
    expect(gone).toEqual(['f']);
    keys.complete();
    answers[0]?.(['late']);
    answers[1]?.(['flask']);
    await over;
    expect(seen.map(({ values }) => values)).toEqual([['flask']]);
    expect(asked).toEqual([
      { typed: 'f', filled: { language: 'Python' } },
      { typed: 'fl', filled: { language: 'Tcl' } },
    ]);
    const cancel = 'notifications/cancelled';
    expect(sent.filter((method) => method === cancel)).toHaveLength(1);
    expect(completed).toBe(true);
  });

  it('leaving cancels the request, and an error ends the stream', async () => {
    const { remote, gone, type } = await rig();
    const keys = new Subject<string>();
    const typing = keys.pipe(completion(remote).promptTypeahead('p', 'a')).subscribe();
    await type(keys, 'f');
    typing.unsubscribe();
    const more = new Subject<string>();
    const failed = once(more.pipe(completion(remote).promptTypeahead('q', 'a')));
    more.next('x');
    await expect(failed).rejects.toMatchObject({ code: -32602 });
    expect(gone).toEqual(['f']);
    const other = new Subject<string>();
    const found = once(other.pipe(completion(remote).templateTypeahead('x:/{v}', 'v')));
    other.next('y');
    expect(await found).toMatchObject({ values: ['y!'] });
  });
});
