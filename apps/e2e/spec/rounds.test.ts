import { describe, expect } from 'vitest';
import { clause } from './stage/clause.js';
import { desk } from './stage/desk.js';
import type { Frame } from './stage/frame.js';
import { at } from './stage/frame.js';
import { rawClient } from './stage/raw-client.js';

const able = { elicitation: { form: {} }, roots: {}, sampling: {} };
const ada = { who: { action: 'accept', content: { name: 'Ada' } } };
const greet = { name: 'greet', arguments: {} };
const stateOf = (frame: Frame): string => at(frame, 'result', 'requestState') as string;

describe('a server that asks', () => {
  clause(
    [
      '26/mrtr/1',
      '26/mrtr/6',
      '26/mrtr/11',
      '26/patterns/1',
      '26/stdio/8',
      '26/elicitation/7',
      '26/elicitation/9',
    ],
    'asks in its result, and sends no request',
    async () => {
      const raw = await rawClient(desk().server);
      const { result } = await raw.modern('tools/call', greet, able);
      expect(result).toMatchObject({
        resultType: 'input_required',
        inputRequests: {
          who: {
            method: 'elicitation/create',
            params: { message: 'Who is there?', requestedSchema: { type: 'object' } },
          },
        },
      });
      expect(stateOf({ result: result ?? {} })).toMatch(/./);
      await raw.quiet();
      expect(raw.frames.filter(({ method, id }) => method !== undefined && id !== undefined)).toEqual([]);
    },
  );

  clause(['26/mrtr/5'], 'gives each ask a unique key', async () => {
    const raw = await rawClient(desk().server);
    const { result } = await raw.modern('tools/call', { name: 'both', arguments: {} }, able);
    expect(Object.keys(result?.['inputRequests'] as object).sort()).toEqual(['where', 'who']);
  });

  clause(['26/mrtr/4'], 'asks in calls of tools, prompts and reads, and nowhere else', async () => {
    const raw = await rawClient(desk().server);
    const asked: [string, object][] = [
      ['tools/call', greet],
      ['prompts/get', { name: 'ask' }],
      ['resources/read', { uri: 'test://asking' }],
    ];
    for (const [method, params] of asked) {
      const { result } = await raw.modern(method, params, able);
      expect(result?.['resultType'], method).toBe('input_required');
    }
    for (const method of [
      'tools/list',
      'prompts/list',
      'resources/list',
      'resources/templates/list',
      'server/discover',
    ]) {
      const { result } = await raw.modern(method, {}, able);
      expect(result?.['resultType'], method).toBe('complete');
    }
  });

  clause(
    ['26/mrtr/14', '26/mrtr/24'],
    'asks again for what is missing, and for all when nothing came',
    async () => {
      const raw = await rawClient(desk().server);
      const both = { name: 'both', arguments: {} };
      const first = await raw.modern('tools/call', both, able);
      const half = { ...both, requestState: stateOf(first), inputResponses: ada };
      const second = await raw.modern('tools/call', half, able);
      expect(second.result?.['resultType']).toBe('input_required');
      expect(Object.keys(second.result?.['inputRequests'] as object)).toEqual(['where']);
      const rest = { ...both, requestState: stateOf(second), inputResponses: { where: { roots: [] } } };
      expect(at(await raw.modern('tools/call', rest, able), 'result', 'content', 0, 'text')).toBe('accept 0');
      const none = await raw.modern('tools/call', { ...both, requestState: stateOf(first) }, able);
      expect(none.result?.['resultType']).toBe('input_required');
    },
  );

  clause(['26/mrtr/23'], 'ignores unexpected answers', async () => {
    const raw = await rawClient(desk().server);
    const unasked = await raw.modern('tools/call', { ...greet, inputResponses: ada }, able);
    expect(unasked.result?.['resultType']).toBe('input_required');
    const more = { ...ada, other: { action: 'accept' } };
    const params = { ...greet, requestState: stateOf(unasked), inputResponses: more };
    expect(at(await raw.modern('tools/call', params, able), 'result', 'content', 0, 'text')).toBe(
      'Hello, Ada',
    );
  });

  clause(['26/mrtr/21', '26/mrtr/22'], 'rejects invalid answers', async () => {
    const raw = await rawClient(desk().server);
    const first = await raw.modern('tools/call', greet, able);
    for (const inputResponses of [7, 'x', [], { who: 7 }]) {
      const params = { ...greet, requestState: stateOf(first), inputResponses };
      expect((await raw.modern('tools/call', params, able)).error?.code).toBe(-32602);
    }
  });

  clause(
    ['26/mrtr/7', '26/mrtr/8', '26/mrtr/9'],
    'refuses a state that was changed, or is of another request or caller',
    async () => {
      const { server } = desk();
      const raw = await rawClient(server, 'ada');
      const state = stateOf(await raw.modern('tools/call', greet, able));
      const again = (params: object): Promise<Frame> =>
        raw.modern('tools/call', { inputResponses: ada, ...params }, able);
      const changed = `${state.slice(0, -2)}${state.endsWith('AA') ? 'BB' : 'AA'}`;
      for (const requestState of [changed, '', 'x', `${state}A`]) {
        expect((await again({ ...greet, requestState })).error?.code).toBe(-32602);
      }
      expect((await again({ name: 'both', arguments: {}, requestState: state })).error?.code).toBe(-32602);
      expect((await again({ ...greet, requestState: state })).result).toBeDefined();
      await raw.close();
    },
  );

  clause(['26/mrtr/9'], 'rejects a state of another principal', async () => {
    const keys = { requestStateKeys: [{ id: 'k', secret: 'a secret of more than thirty-two characters' }] };
    const ada1 = await rawClient(desk(keys).server, 'ada');
    const state = stateOf(await ada1.modern('tools/call', greet, able));
    const bob = await rawClient(desk(keys).server, 'bob');
    const params = { ...greet, requestState: state, inputResponses: ada };
    expect((await bob.modern('tools/call', params, able)).error?.code).toBe(-32602);
    const ada2 = await rawClient(desk(keys).server, 'ada');
    expect((await ada2.modern('tools/call', params, able)).result).toBeDefined();
  });

  clause(['26/elicitation/22'], 'accepts a refusal as an answer', async () => {
    const raw = await rawClient(desk().server);
    for (const action of ['decline', 'cancel']) {
      const first = await raw.modern('tools/call', greet, able);
      const params = { ...greet, requestState: stateOf(first), inputResponses: { who: { action } } };
      expect(at(await raw.modern('tools/call', params, able), 'result', 'content', 0, 'text')).toBe(action);
    }
  });

  clause(['26/elicitation/44'], 'checks an answer against its form', async () => {
    const raw = await rawClient(desk().server);
    const first = await raw.modern('tools/call', greet, able);
    const inputResponses = { who: { action: 'accept', content: { name: 7 } } };
    const { error } = await raw.modern(
      'tools/call',
      { ...greet, requestState: stateOf(first), inputResponses },
      able,
    );
    expect(error?.code).toBe(-32602);
  });
});
