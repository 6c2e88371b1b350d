import { expect, it } from 'vitest';
import type { StandardSchema } from '@rxmcp/core';
import { offerTools, text, tool } from '../src/index.js';
import { call, callTool } from './calling.js';
import { foreignPerson, person, slowPerson } from './schemas.js';

const any: StandardSchema = {
  '~standard': { ...person['~standard'], validate: (value) => ({ value }) },
};

function giving(
  output: StandardSchema<unknown, unknown> | Record<string, unknown>,
  value: unknown,
  async = false,
) {
  return offerTools([tool('t', { output }, (() => (async ? Promise.resolve(value) : value)) as never)]);
}

const values = [null, 0, false, '', [], [1], { sum: 3 }, { content: [] }, { content: [text('a')] }];

it.each(values.map((value) => ({ value })))(
  '$value becomes structured content and its JSON',
  async ({ value }) => {
    for (const output of [any, {}]) {
      for (const async of [false, true]) {
        const result = await callTool(giving(output, value, async), 't');
        expect(result).toEqual({ content: [text(JSON.stringify(value))], structuredContent: value });
      }
    }
  },
);

it('is sent as the schema returns it, checked once', async () => {
  let checks = 0;
  const counting = (output: typeof person): typeof person => ({
    '~standard': {
      ...output['~standard'],
      validate: (value) => ((checks += 1), output['~standard'].validate(value)),
    },
  });
  for (const output of [person, slowPerson, foreignPerson]) {
    for (const async of [false, true]) {
      checks = 0;
      const result = await callTool(giving(counting(output), { name: 'Ada', secret: 1 }, async), 't');
      expect(result).toEqual({ content: [text('{"name":"Ada"}')], structuredContent: { name: 'Ada' } });
      expect(checks).toBe(1);
    }
  }
});

it('keeps the content of a whole result and checks its data', async () => {
  const whole = {
    content: [text('Ada it is')],
    structuredContent: { name: 'Ada', secret: 1 },
    _meta: { a: 1 },
  };
  expect(await callTool(giving(person, whole), 't')).toEqual({
    ...whole,
    structuredContent: { name: 'Ada' },
  });
});

it('lets an error pass as it is', async () => {
  const failed = { content: [text('no')], isError: true };
  expect(await callTool(giving(person, failed), 't')).toEqual(failed);
});

it.each([
  ['wrong data', { name: 1 }],
  ['wrong data in a whole result', { content: [], structuredContent: { name: 1 } }],
  ['a whole result without data', { content: [text('a')] }],
])('does not send: %s', async (_, value) => {
  for (const output of [person, slowPerson]) {
    const called = call(giving(output, value), 'tools/call', { name: 't' });
    expect(await called.end).toEqual({ content: [expect.anything()], isError: true });
    expect(called.faults).toMatchObject([
      {
        code: 'HANDLER_FAILED',
        message: expect.stringContaining('output schema rejects: name: must be a string'),
      },
    ]);
  }
});

it('does not send a value that is not JSON', async () => {
  for (const value of [() => 1, 1n]) {
    expect(await callTool(giving({}, value), 't')).toMatchObject({ isError: true });
  }
});

it('a check that ends after the tear-down reports nothing', async () => {
  for (const async of [false, true]) {
    const called = call(giving(slowPerson, { name: 1 }, async), 'tools/call', { name: 't' });
    if (async) await Promise.resolve();
    called.stop();
    await new Promise((resolve) => setTimeout(resolve));
    expect(called.faults).toEqual([]);
  }
});

const same = (holds: (value: unknown) => boolean): StandardSchema => ({
  '~standard': {
    ...person['~standard'],
    validate: (value) => (holds(value) ? { value } : { issues: [{ message: 'does not hold' }] }),
  },
});
const member = (value: unknown): unknown => (value as { n: unknown }).n;

it.each<[string, unknown, (value: unknown) => boolean]>([
  ['NaN', NaN, (value) => typeof value === 'number'],
  ['Infinity within', { n: [Infinity] }, (value) => (member(value) as unknown[])[0] !== null],
  ['a Date', { n: new Date(0) }, (value) => typeof member(value) === 'object'],
  ['what has toJSON', { n: { toJSON: () => 5 } }, (value) => typeof member(value) === 'object'],
  ['a boxed number', { n: new Number(3) }, (value) => typeof member(value) === 'object'],
])('%s is rejected where its JSON form breaks the schema', async (_, value, holds) => {
  expect(await callTool(giving(same(holds), value), 't')).toMatchObject({ isError: true });
  const whole = { content: [text('a')], structuredContent: value };
  expect(await callTool(giving(same(holds), whole), 't')).toMatchObject({ isError: true });
});

it('a value whose JSON form differs is sent in that form where it is valid', async () => {
  const output = same(() => true);
  const told = { n: '1970-01-01T00:00:00.000Z', list: [null] };
  const value = { n: new Date(0), list: [undefined], none: undefined };
  const result = await callTool(giving(output, value), 't');
  expect(result).toEqual({ content: [text(JSON.stringify(told))], structuredContent: told });
});

it('data with a member of the name toJSON is data', async () => {
  const value = { toJSON: 'yes' };
  expect(await callTool(giving(any, value), 't')).toMatchObject({ structuredContent: value });
});

it('does not check a result that arrives after the call was cancelled', async () => {
  let looked = 0;
  const output: StandardSchema = {
    '~standard': { ...person['~standard'], validate: (value) => ((looked += 1), { value }) },
  };
  let give = (_value: unknown): void => undefined;
  const late = new Promise<unknown>((resolve) => (give = resolve));
  const handler = (() => late) as never;
  const giveUp = call(offerTools([tool('t', { output }, handler)]), 'tools/call', { name: 't' });
  const kept = callTool(offerTools([tool('t', { output }, handler)]), 't');
  giveUp.stop();
  give({ name: 'Ada' });
  expect(await kept).toMatchObject({ structuredContent: { name: 'Ada' } });
  expect(looked).toBe(1);
});
