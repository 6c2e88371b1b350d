import type { Context, JsonObject } from '@rxmcp/core';
import { offerMethod, once } from '@rxmcp/core';
import { defineOffer } from '@rxmcp/core/internal';
import type { ConnectedPair } from '@rxmcp/testing';
import { describe, expect, it, vi } from 'vitest';
import { elicit, form, integerField, offerElicitation, stringField } from '../src/index.js';
import { pair } from './pair.js';

const schema = form({ name: stringField({ minLength: 2 }), age: integerField({ minimum: 18 }) });
const handler = async (ctx: Context): Promise<JsonObject> => ({
  answer: await elicit(ctx, 'who', { message: 'Who are you?', schema }),
});
const client = [offerElicitation({ form: () => ({ action: 'accept', content: { name: 'Ada', age: 36 } }) })];

/** A client that answers forms with what the test sets. */
const answering = (version: string, answer: unknown): Promise<ConnectedPair> =>
  pair(version, handler, {
    client: [
      defineOffer({
        ...offerMethod('elicitation/create', {}, () => answer as never),
        capabilities: { elicitation: {} },
      }),
    ],
  });

describe.each(['2026-07-28', '2025-11-25', '2025-06-18'])('at %s', (version) => {
  it.each([
    [{ action: 'accept', content: { name: 'Ada', age: 7 } }, 'age: must be at least 18'],
    [{ action: 'accept', content: { name: 'Ada' } }, 'age: is missing'],
    [{ action: 'accept', content: { name: { first: 'Ada' }, age: 36 } }, 'name: must be'],
    [{ action: 'accept', content: [] }, 'object'],
    [{ action: 'accept' }, 'missing'],
    [{ action: 'obey' }, 'obey'],
  ])('row 67: rejects the invalid content of a form: %j', async (answer, text) => {
    const { run, serverFaults } = await answering(version, answer);
    const failure: unknown = await run().catch((error: unknown) => error);
    expect(failure).toMatchObject({ code: -32_602, message: expect.stringContaining(text) as string });
    expect(serverFaults).toEqual([]);
  });
});

it('row 50: the sealed state of a form that is altered, or used elsewhere', async () => {
  const runs = vi.fn(handler);
  const { run, remote } = await pair('2026-07-28', runs, { client });
  const sent: JsonObject[] = [];
  remote.wire$.subscribe(
    ({ direction, message }) =>
      direction === 'out' && sent.push((message as JsonObject).params as JsonObject),
  );
  expect(await run()).toMatchObject({ answer: { action: 'accept' } });
  const retry = sent.find((params) => 'requestState' in params) ?? {};
  const { requestState, inputResponses } = retry;
  const state = requestState as string;
  const middle = state.length >> 1;
  const altered = state.slice(0, middle) + (state[middle] === 'A' ? 'B' : 'A') + state.slice(middle + 1);
  runs.mockClear();
  const again = (params: JsonObject): Promise<JsonObject> => once(remote.request('tools/call', params));
  const params = { name: 'test', arguments: {} };
  await expect(again({ ...params, requestState: altered, inputResponses })).rejects.toMatchObject({
    code: -32_602,
  });
  await expect(again({ name: 'other', arguments: {}, requestState, inputResponses })).rejects.toMatchObject({
    code: -32_602,
  });
  expect(runs).not.toHaveBeenCalled();
  // What was sealed for it is taken.
  expect(await again({ ...params, requestState, inputResponses })).toMatchObject({
    answer: { action: 'accept' },
  });
});

it('row 52: a server that shows one form after the other', async () => {
  let shown = 0;
  const { run } = await pair(
    '2026-07-28',
    async (ctx) => {
      for (let n = 0; ; n += 1) await elicit(ctx, `form ${n}`, { message: 'And now?', schema });
    },
    {
      client: [
        offerElicitation({
          form: () => {
            shown += 1;
            return { action: 'accept', content: { name: 'Ada', age: 36 } };
          },
        }),
      ],
    },
  );
  await expect(run()).rejects.toMatchObject({ code: 'TOO_MANY_ROUNDS' });
  expect(shown).toBe(10);
});
