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
