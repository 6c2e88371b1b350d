import { describe, expect, it } from 'vitest';
import { type Entry, fieldsOf, readFields } from '../src/page/state/fields.js';

const schema = {
  type: 'object',
  properties: {
    name: { type: 'string', title: 'Name', description: 'Yours.', minLength: 2 },
    count: { type: 'integer', minimum: 0, default: 3 },
    sure: { type: 'boolean' },
    size: { enum: ['s', 1, null] },
    color: { type: 'string', oneOf: [{ const: 'r', title: 'Red' }] },
    extras: { type: 'array', items: { type: 'string', enum: ['a', 'b'] } },
    deep: { type: 'object', properties: { x: { type: 'number' } } },
    either: { type: ['string', 'number'] },
  },
  required: ['name'],
};
const fields = fieldsOf(schema);
const read = (entries: Record<string, Entry>) => readFields(schema, fields, { name: 'Ada', ...entries });
const problemsOf = (entries: Record<string, Entry>) => {
  const result = read(entries);
  return 'problems' in result ? Object.fromEntries(result.problems) : undefined;
};

describe('a form of a schema', () => {
  it('has an input for each property', () => {
    expect(fields.map(({ name, kind }) => [name, kind])).toEqual([
      ['name', 'text'],
      ['count', 'number'],
      ['sure', 'choice'],
      ['size', 'choice'],
      ['color', 'choice'],
      ['extras', 'choices'],
      ['deep', 'json'],
      ['either', 'json'],
    ]);
    expect(fields[0]).toMatchObject({ title: 'Name', description: 'Yours.', required: true });
    expect(fields[1]).toMatchObject({ title: 'count', default: 3, required: false });
    expect(fields[4]?.choices).toEqual([{ value: 'r', title: 'Red' }]);
  });

  it('has none for a schema without properties, or with invalid ones', () => {
    expect(fieldsOf({ type: 'object' })).toEqual([]);
    expect(fieldsOf({ properties: ['no'], required: 'no' })).toEqual([]);
    expect(fieldsOf({ properties: { odd: 7 } })).toMatchObject([{ name: 'odd', kind: 'json' }]);
  });

  it('gives values the types of the schema, and leaves out what is empty', () => {
    expect(read({ count: '0', sure: [1], size: [2], color: [0], extras: [1], deep: '{"x":1}' })).toEqual({
      args: { name: 'Ada', count: 0, sure: false, size: null, color: 'r', extras: ['b'], deep: { x: 1 } },
    });
    expect(read({})).toEqual({ args: { name: 'Ada' } });
  });

  it.each<[string, Record<string, Entry>, Record<string, string>]>([
    ['a missing argument', { name: '' }, { name: 'is required' }],
    ['no number', { count: 'x' }, { count: 'must be a number' }],
    ['spaces for a number', { count: ' ' }, { count: 'must be a number' }],
    ['no integer', { count: '1.5' }, { count: expect.stringMatching(/integer/) }],
    ['a text that is too short', { name: 'A' }, { name: expect.stringMatching(/2/) }],
    ['no JSON', { deep: '{' }, { deep: expect.stringContaining('is not valid JSON') }],
    ['a wrong value inside', { deep: '{"x":"y"}' }, { deep: expect.stringMatching(/^\/x .*number/) }],
    ['two problems', { name: '', count: 'x' }, { name: 'is required', count: 'must be a number' }],
  ])('names the field with %s', (_what, entries, problems) => {
    expect(problemsOf(entries)).toEqual(problems);
  });

  it('leaves a schema that it cannot use to the server', () => {
    const unusable = { properties: { a: { $ref: 'https://example.com/a' } } };
    expect(readFields(unusable, fieldsOf(unusable), { a: '1' })).toEqual({ args: { a: 1 } });
  });
});
