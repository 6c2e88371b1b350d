import { describe, expect, expectTypeOf, it } from 'vitest';
import { of } from 'rxjs';
import { progressItem } from '@rxmcp/core';
import type { JsonSchema, ToolArguments, ToolOptions, ToolSchema } from '../src/index.js';
import { text, tool } from '../src/index.js';
import { partsOf } from '../src/tool.js';
import type { Unwrapped } from '../src/tool.js';
import { person, schema } from './schemas.js';

describe('what a list says about a tool', () => {
  it('is made once from the definition', () => {
    const made = tool(
      'greet',
      {
        title: 'Greet',
        description: 'Says hello.',
        input: person,
        output: person,
        annotations: { readOnlyHint: true },
        icons: [{ src: 'https://example.com/a.png' }],
        meta: { 'example.com/a': 1 },
      },
      ({ name }) => ({ name }),
    );
    expect(made.info).toEqual({
      name: 'greet',
      title: 'Greet',
      description: 'Says hello.',
      inputSchema: { type: 'object', properties: { name: { type: 'string' } }, required: ['name'] },
      outputSchema: {
        type: 'object',
        properties: { name: { type: 'string' } },
        required: ['name'],
        side: 'out',
      },
      annotations: { readOnlyHint: true },
      icons: [{ src: 'https://example.com/a.png' }],
      _meta: { 'example.com/a': 1 },
    });
    expect(Object.isFrozen(made.info)).toBe(true);
  });

  it('accepts any object where no input is given', () => {
    expect(tool('ping', {}, () => 'pong').info).toEqual({
      name: 'ping',
      inputSchema: { type: 'object', properties: {} },
    });
  });

  it('carries raw JSON Schema, a copy of it', () => {
    const raw = {
      type: 'object',
      properties: { a: { $ref: '#/$defs/a' } },
      $defs: { a: { type: 'string' } },
    };
    const made = tool('raw', { input: raw }, () => '');
    raw.properties.a.$ref = 'changed';
    expect(made.info.inputSchema['properties']).toEqual({ a: { $ref: '#/$defs/a' } });
  });

  it('adds the object root that a union does not state', () => {
    const made = tool('either', { input: { anyOf: [{ required: ['a'] }, { required: ['b'] }] } }, () => '');
    expect(made.info.inputSchema).toEqual({
      anyOf: [{ required: ['a'] }, { required: ['b'] }],
      type: 'object',
    });
  });
});

describe('a definition that cannot work is rejected', () => {
  it.each([
    ['empty', ''],
    ['invisible', 'a\u200bb'],
    ['no string', 1 as never],
  ])('name: %s', (_, name) => {
    expect(() => tool(name, {}, () => '')).toThrow(TypeError);
  });

  it.each([
    [
      'that is not a Standard JSON Schema',
      schema({ check: () => 1 }),
      /input of tool "x".*no ~standard\.jsonSchema/,
    ],
    ['of no object', { type: 'string' }, /must describe an object, not "string"/],
    ['that is no schema', 7 as never, /neither a Standard Schema nor a JSON Schema/],
    ['that is null', null as never, /neither/],
    [
      'that is an object of schemas',
      { name: person } as never,
      /input of tool "x": "name" is a schema.*wrap it/,
    ],
  ])('input %s', (_, input, message) => {
    expect(() => tool('x', { input }, () => '')).toThrow(message);
  });

  it('input whose library cannot convert it', () => {
    const input = schema({ check: () => 1, json: {} });
    const told = () => {
      throw new Error('dates cannot be represented');
    };
    const broken = { '~standard': { ...input['~standard'], jsonSchema: { input: told, output: told } } };
    expect(() => tool('x', { input: broken }, () => '')).toThrow(
      /input of tool "x".*dates cannot be represented/,
    );
  });

  it('unknown needs', () => {
    expect(() => tool('x', { needs: ['elicit' as never] }, () => '')).toThrow(
      new TypeError(
        'tool "x" needs "elicit"; expected one of sampling, sampling.tools, roots, elicitation, elicitation.url',
      ),
    );
  });

  it('no handler', () => {
    expect(() => tool('x', {}, undefined as never)).toThrow('tool "x" needs a handler');
  });
});

it('names both versions for a tool of another copy', () => {
  const key = Symbol.for('rxmcp.tool');
  const other = { name: 'x', info: {}, [key]: { copy: { version: '0.0.1' } } } as never;
  expect(() => partsOf(other)).toThrow(/another copy of @rxmcp\/core \(0\.0\.1, this is \d/);
  expect(() => partsOf({} as never)).toThrow('not a tool');
});

it('types the parameters and the result of a handler', () => {
  const number = schema<number>({ check: () => 1, json: {} });
  tool('typed', { input: person }, ({ name }) => text(name));
  tool('any object', {}, (args) => String(args['name']));
  tool('promise', { input: person }, async ({ name }) => [text(name), text('!')]);
  tool('stream', { input: person }, () => of(progressItem(1), text('')));
  tool('iterable', {}, async function* () {
    yield progressItem(1);
    yield 'done';
  });
  tool('data', { output: number }, () => 1);
  tool('data of the raw kind', { output: { type: 'number' } }, () => 1);
  tool('error of data', { output: number }, () => ({ content: [text('no')], isError: true }));
  // @ts-expect-error a number is not a result
  tool('wrong', {}, () => 1);
  // @ts-expect-error a string is not a number
  tool('wrong data', { output: number }, () => 'one');
  // @ts-expect-error the schema has no such member
  tool('wrong member', { input: person }, ({ age }) => String(age));
});

it('one whole schema is required, in types and by an error', () => {
  // @ts-expect-error an object of schemas is not a schema
  expect(() => tool('loose', { input: { name: person } }, () => '')).toThrow('z.object(');
  // @ts-expect-error the same of the output
  expect(() => tool('loose', { output: { name: person } }, () => ({}))).toThrow('z.object(');
  type Loose = ToolOptions<{ name: typeof person }, undefined>['input'];
  expectTypeOf<{ name: typeof person }>().not.toExtend<Loose>();
  expectTypeOf<Loose & string>().toEqualTypeOf<Loose & Unwrapped>();
});

it('a loosely typed schema is accepted, and options may be passed on', () => {
  const told: JsonSchema = { type: 'object' };
  const options: ToolOptions<JsonSchema, JsonSchema> = { input: told, output: told };
  const parsed = JSON.parse('{ "type": "object" }');
  const own = <I extends ToolSchema>(
    given: ToolOptions<I, undefined>,
    use: (args: ToolArguments<I>) => string,
  ) => tool('own', { ...given, title: 'Own' }, use);
  const made = [
    tool('listed', options, () => ''),
    tool('parsed', { input: parsed, output: { type: 'object', properties: parsed } }, () => ''),
    own({ input: person }, ({ name }) => name),
  ];
  expect(made.map(({ info }) => info.inputSchema.type)).toEqual(['object', 'object', 'object']);
});
