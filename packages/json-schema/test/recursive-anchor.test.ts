import { describe, expect, it } from 'vitest';
import { holds } from './checking.js';

/** A tree of objects, extended by a schema that allows no other members. */
function strictTree(dialect: string, outer: object, inner: object): Record<string, unknown> {
  return {
    $schema: `https://json-schema.org/draft/${dialect}/schema`,
    $id: 'https://a.example/strict',
    ...outer,
    $ref: 'tree',
    unevaluatedProperties: false,
    $defs: {
      tree: {
        $id: 'tree',
        ...inner,
        type: 'object',
        properties: { data: true, children: { items: { $recursiveRef: '#' } } },
      },
    },
  };
}

const anchor = { $recursiveAnchor: true };
const deep = { children: [{ data: 1, other: 1 }] };

describe('$recursiveRef of 2019-09', () => {
  it.each([
    ['both schemas have', anchor, anchor, false],
    ['only the inner schema has', {}, anchor, true],
    ['the outer schema has a false', { $recursiveAnchor: false }, anchor, true],
    ['only the outer schema has', anchor, {}, true],
    ['no schema has', {}, {}, true],
  ])('refers to the outermost schema where %s an anchor', (_where, outer, inner, isValid) => {
    const schema = strictTree('2019-09', outer, inner);
    expect(holds(schema, deep)).toBe(isValid);
    expect(holds(schema, { other: 1 })).toBe(false);
    expect(holds(schema, { children: [{ data: 1 }] })).toBe(true);
  });
});
