import type { Context, JsonObject } from '@rxmcp/core';
import { offerMethod, once } from '@rxmcp/core';
import { defineOffer } from '@rxmcp/core/internal';
import { describe, expect, it, vi } from 'vitest';
import type { SamplingModel } from '../../src/index.js';
import { offerSampling, sample, messageText } from '../../src/index.js';
import { completion, request } from '../sampling-requests.js';
import { pair } from '../pair.js';

const approve = 'dangerouslyAlways';
const handler = async (ctx: Context): Promise<JsonObject> => ({
  said: messageText(await sample(ctx, 'answer', request())),
});

describe.each(['2026-07-28', '2025-11-25', '2024-11-05'])('at %s', (version) => {
  it.each([
    [{ role: 'assistant', content: { type: 'text', text: 'Paris.' } }, '"model"'],
    [{ ...completion('Paris.'), content: { type: 'image', data: '' } }, 'image'],
    [{ ...completion('Paris.'), content: { type: 'image', data: '%', mimeType: 'image/png' } }, 'base64'],
    [{ ...completion('Paris.'), role: 'system' }, 'role'],
    [{ ...completion('Paris.'), stopReason: 1 }, '"stopReason"'],
  ])('row 67: rejects the invalid completion %j', async (answer, text) => {
    const { run, serverFaults } = await pair(version, handler, {
      client: [
        defineOffer({
          ...offerMethod('sampling/createMessage', {}, () => answer as never),
          capabilities: { sampling: {} },
        }),
      ],
    });
    const failure: unknown = await run().catch((error: unknown) => error);
    expect(failure).toMatchObject({ code: -32_602, message: expect.stringContaining(text) as string });
    expect(serverFaults).toEqual([]);
  });
});

it('row 50: the sealed state of a question to a model that is altered, or used elsewhere', async () => {
  const runs = vi.fn(handler);
  const model: SamplingModel = () => completion('Paris.');
  const { run, remote } = await pair('2026-07-28', runs, { client: [offerSampling(model, { approve })] });
  const sent: JsonObject[] = [];
  remote.wire$.subscribe(
    ({ direction, message }) =>
      direction === 'out' && sent.push((message as JsonObject).params as JsonObject),
  );
  await run();
  const { requestState = '', inputResponses } = sent.find((params) => 'requestState' in params) ?? {};
  const state = requestState as string;
  const middle = state.length >> 1;
  const altered = state.slice(0, middle) + (state[middle] === 'A' ? 'B' : 'A') + state.slice(middle + 1);
  runs.mockClear();
  const again = (params: JsonObject): Promise<JsonObject> =>
    once(remote.request('tools/call', { arguments: {}, inputResponses, ...params }));
  const refused = { code: -32_602 };
  await expect(again({ name: 'test', requestState: altered })).rejects.toMatchObject(refused);
  await expect(again({ name: 'other', requestState })).rejects.toMatchObject(refused);
  expect(runs).not.toHaveBeenCalled();
  expect(await again({ name: 'test', requestState })).toMatchObject({ said: 'Paris.' });
});

it('row 52: a server that asks the model again and again', async () => {
  const model = vi.fn<SamplingModel>(() => completion('Paris.'));
  const { run } = await pair(
    '2026-07-28',
    async (ctx) => {
      for (let n = 0; ; n += 1) await sample(ctx, `question ${n}`, request());
    },
    { client: [offerSampling(model, { approve })] },
  );
  await expect(run()).rejects.toMatchObject({ code: 'TOO_MANY_ROUNDS' });
  expect(model).toHaveBeenCalledTimes(10);
});
