import { expect, it } from 'vitest';
import { findHeaderParams } from '../../src/schema/mirrored-params.js';

const named = (header: string, type = 'string') => ({ type, 'x-mcp-header': header });

it('one invalid header name makes a schema invalid, next to valid ones too', () => {
  const valid = { properties: { a: named('Region') } };
  expect(findHeaderParams(valid)).toEqual([{ header: 'region', path: ['arguments', 'a'] }]);
  const invalid = { properties: { ...valid.properties, b: named('b', 'number') } };
  expect(findHeaderParams(invalid)).toBe(
    '"x-mcp-header" "b" is on something that is not a string, an integer or a boolean',
  );
});

it('a tool has at most 128 arguments that are sent as headers', () => {
  const schema = (count: number) => ({
    properties: Object.fromEntries(Array.from({ length: count }, (_, at) => [`p${at}`, named(`h${at}`)])),
  });
  expect(findHeaderParams(schema(128))).toHaveLength(128);
  expect(findHeaderParams(schema(60_000))).toBe('"x-mcp-header" "h128" is one of more than 128');
});
