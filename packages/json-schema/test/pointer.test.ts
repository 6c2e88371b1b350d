import { expect, it } from 'vitest';
import { jsonSchema } from '../src/index.js';

it.each([
  ['a~b', '/properties/a~0b/pattern'],
  ['a/b', '/properties/a~1b/pattern'],
  ['~1', '/properties/~01/pattern'],
  ['', '/properties//pattern'],
])('an error in the schema of the property "%s" is at %s', (name, pointer) => {
  expect(() => jsonSchema({ properties: { [name]: { pattern: '(' } } })).toThrow(
    expect.objectContaining({ pointer }) as Error,
  );
});
