import type { JsonObject } from '@rxmcp/core';
import { text } from '@rxmcp/core';
import { expect, it, vi } from 'vitest';
import { offerSampling } from '../../src/index.js';
import { completion } from '../sampling-requests.js';

const caller = { capabilities: {}, info: { name: 'test', version: '1.0.0' } };
const ctx = { signal: new AbortController().signal, caller } as never;

/** Sends a request with `params` to a client's offer; returns whether the model ran, and the error. */
async function asked(params: JsonObject): Promise<readonly [boolean, unknown]> {
  const model = vi.fn(() => completion('Paris.'));
  const offer = offerSampling(model, { approve: 'dangerouslyAlways' });
  const request = { messages: [{ role: 'user', content: text('hi') }], maxTokens: 1, ...params };
  const error: unknown = await Promise.resolve()
    .then(() => offer.methods?.[0]?.handle(request, ctx))
    .then(
      () => undefined,
      (failure: unknown) => failure,
    );
  return [model.mock.calls.length > 0, error];
}

it('optional parameters may be left out', async () => {
  expect(await asked({})).toEqual([true, undefined]);
});

it.each([
  ['systemPrompt', [1, null, ['a']]],
  ['temperature', ['1', null]],
  ['stopSequences', ['stop', [1], null]],
  ['includeContext', ['all', 1, null]],
  ['metadata', ['a', [], null]],
  ['modelPreferences', ['a', [], null]],
  ['tools', [{}, ['weather'], [null], [{ name: '', inputSchema: {} }], null]],
  ['toolChoice', ['auto', 1, [], null, { mode: 'always' }]],
])('a model never runs for a request whose "%s" is of the wrong type', async (name, values) => {
  for (const value of values) {
    const [ran, error] = await asked({ [name]: value });
    expect([ran, JSON.stringify(value)]).toEqual([false, JSON.stringify(value)]);
    expect(error).toMatchObject({ code: 'INVALID_PARAMS' });
    expect(String(error)).toContain(`"${name}"`);
  }
});

it('an unknown option is an error that names the nearest one', () => {
  const options = { approve: () => ({ action: 'approve' }), maxToolTurn: 3 };
  expect(() => offerSampling(() => ({}) as never, options as never)).toThrow(
    'offerSampling: unknown option "maxToolTurn", did you mean "maxToolTurns"?',
  );
});
