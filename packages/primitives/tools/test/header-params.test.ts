import { describe, expect, it } from 'vitest';
import { findHeaderParams as mirroredOf } from '@rxmcp/core/internal';
import { tool } from '../src/index.js';

const named = (header: unknown, type: unknown = 'string') => ({ type, 'x-mcp-header': header });
const of = (...properties: object[]) => ({
  type: 'object',
  properties: Object.fromEntries(properties.map((schema, at) => [`p${at}`, schema])),
});

describe('the arguments that are repeated in headers', () => {
  it('are those that a chain of properties leads to, in lower case', () => {
    const schema = {
      type: 'object',
      properties: {
        region: named('Region'),
        count: named('X-Count', 'integer'),
        dry: named('dry', ['boolean', 'null']),
        deep: { type: 'object', properties: { deeper: { properties: { id: named("!#$%&'*+.^_`|~9") } } } },
        plain: { type: 'string' },
      },
    };
    expect(mirroredOf(schema)).toEqual([
      { header: 'region', path: ['arguments', 'region'] },
      { header: 'x-count', path: ['arguments', 'count'] },
      { header: 'dry', path: ['arguments', 'dry'] },
      { header: "!#$%&'*+.^_`|~9", path: ['arguments', 'deep', 'deeper', 'id'] },
    ]);
  });

  it('are not found where the keyword is a name or data', () => {
    const data = { 'x-mcp-header': 'Region' };
    const schema = {
      type: 'object',
      properties: {
        'x-mcp-header': { type: 'number' },
        a: { const: data },
        b: { enum: [data], default: data },
      },
      examples: [{ properties: { a: named('A') } }],
      required: ['x-mcp-header'],
    };
    expect(mirroredOf(schema)).toEqual([]);
    expect(mirroredOf({})).toEqual([]);
  });

  it.each<[string, Record<string, unknown>]>([
    ['an empty name', of(named(''))],
    ['a name with a blank', of(named('a b'))],
    ['a name with a colon', of(named('a:'))],
    ['a name with a line feed', of(named('a\n'))],
    ['a name with CR and LF', of(named('a\r\nx-evil: 1'))],
    ['a name that is not ASCII', of(named('Ä'))],
    ['a name that is no text', of(named(1))],
    ['null for a name', of(named(null))],
    ['a name twice', of(named('A'), named('A'))],
    ['a name twice, in another case', of(named('region'), named('REGION'))],
    ['one on a number', of(named('a', 'number'))],
    ['one on an object', of(named('a', 'object'))],
    ['one on an array', of(named('a', 'array'))],
    ['one on null', of(named('a', 'null'))],
    ['one on a number or a string', of(named('a', ['string', 'number']))],
    ['one on no types', of(named('a', []))],
    ['one without a type', of({ 'x-mcp-header': 'a' })],
    ['one on the root', { ...of(), 'x-mcp-header': 'a' }],
    ['one under items', of({ type: 'array', items: named('a') })],
    ['one under items that are a list', of({ items: [named('a')] })],
    ['one under prefixItems', of({ prefixItems: [named('a')] })],
    ['one under contains', of({ contains: named('a') })],
    ['one under additionalProperties', { additionalProperties: named('a') }],
    ['one under patternProperties', { patternProperties: { '^a': named('a') } }],
    ['one under dependentSchemas', { dependentSchemas: { a: of(named('a')) } }],
    ['one under oneOf', { oneOf: [of(named('a'))] }],
    ['one under anyOf', of({ anyOf: [named('a')] })],
    ['one under allOf', { allOf: [of(named('a'))] }],
    ['one under not', { not: of(named('a')) }],
    ['one under if', { if: of(named('a')) }],
    ['one under then', { then: of(named('a')) }],
    ['one under else', { else: of(named('a')) }],
    ['one under $defs', { $defs: { x: named('a') }, ...of({ $ref: '#/$defs/x' }) }],
    ['one next to $ref', of({ $ref: '#/$defs/x', ...named('a') })],
    ['a bad one next to a good one', of(named('a'), named('b', 'number'))],
  ])('row 35: %s makes the schema invalid', (_what, schema) => {
    expect(mirroredOf(schema)).toEqual(expect.stringContaining('x-mcp-header'));
    const input = { type: 'object', ...schema };
    expect(() => tool('t', { input }, () => '')).toThrow(/the input of tool "t": "x-mcp-header"/);
  });

  it('report in one short line what is wrong', () => {
    const problem = mirroredOf(of(named(`\u001b[31m${'a'.repeat(5_000)}\n`))) as string;
    expect(problem.length).toBeLessThan(300);
    expect(problem).not.toMatch(/\p{Cc}/u);
  });
});
