import type { Place, SchemaDocument } from './document.js';
import { arrayKeywords } from './keywords/array.js';
import { combiningKeywords } from './keywords/combine.js';
import type { Keyword, Site } from './keywords/keyword.js';
import { numberKeywords } from './keywords/number.js';
import { objectKeywords } from './keywords/object.js';
import { referringKeywords } from './keywords/refer.js';
import { stringKeywords } from './keywords/string.js';
import { valueKeywords } from './keywords/value.js';
import type { Node } from './node.js';
import { below, type RawObject } from './raw.js';
import { refuseLoops } from './refuse-loops.js';

/** Makes a schema ready, and all that it leads to. Throws a JsonSchemaError for what cannot be checked. */
export function compile(document: SchemaDocument): Node {
  const nodes = new Map<RawObject, Node>();
  const waiting: [RawObject, Node][] = [];
  const node = (raw: RawObject | boolean, at: string): Node => {
    if (typeof raw === 'boolean')
      return { at, resource: '', checks: raw ? [] : [never], lastly: [], beside: [] };
    const known = nodes.get(raw);
    if (known !== undefined) return known;
    // The walk comes by all that a keyword takes for a schema, or it would not be counted.
    const place = document.places.get(raw) as Place;
    const made: Node = { ...place, checks: [], lastly: [], beside: [] };
    nodes.set(raw, made);
    waiting.push([raw, made]);
    return made;
  };
  const root = node(document.root, '');
  const late: Site['late'] = new Map();
  // Not by recursion: a chain of references may be as long as there are schemas.
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop())
    fill(document, next[0], next[1], node, late);
  refuseLoops(nodes.values());
  return root;
}

function fill(
  document: SchemaDocument,
  raw: RawObject,
  into: Node,
  node: Site['node'],
  late: Site['late'],
): void {
  // Beside a reference, draft-07 hears of nothing else.
  const alone = document.dialect === 'draft-07' && '$ref' in raw;
  for (const [keyword, operand] of alone ? [['$ref', raw['$ref']] as const] : Object.entries(raw)) {
    const make = keywords.get(keyword);
    if (make === undefined) continue;
    const check = make(operand, { document, raw, into, at: below(into.at, keyword), node, late });
    if (check !== undefined) (last.has(keyword) ? into.lastly : into.checks).push(check);
  }
}

const never: Node['checks'][number] = (_value, run) => run.wrong('must not be there');

const keywords: ReadonlyMap<string, Keyword> = new Map([
  ...Object.entries(valueKeywords),
  ...Object.entries(combiningKeywords),
  ...Object.entries(referringKeywords),
  ...Object.entries(objectKeywords),
  ...Object.entries(arrayKeywords),
  ...Object.entries(numberKeywords),
  ...Object.entries(stringKeywords),
]);

const last: ReadonlySet<string> = new Set(['unevaluatedProperties', 'unevaluatedItems']);
