import { type Place, dialectOf, SchemaDocument } from '../schema/document.js';
import { arrayKeywords } from '../keywords/array.js';
import { combiningKeywords } from '../keywords/applicator.js';
import type { Keyword, Site } from '../keywords/keyword.js';
import { numberKeywords, valueKeywords, stringKeywords } from '../keywords/value.js';
import { objectKeywords } from '../keywords/object.js';
import { referringKeywords } from '../keywords/reference.js';
import { type Node, evaluate } from './node.js';
import { type Settings, maxFanOut } from '../schema/options.js';
import { type RawObject, below } from '../schema/raw-schema.js';
import { type ValidationIssue, BudgetExceededError, ValidationRun } from './validation-run.js';
import { JsonSchemaError } from '../schema/schema-error.js';

/** Compiles a schema and all schemas that it refers to. Throws a JsonSchemaError for a schema that cannot be checked. */
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
  rejectLoops(nodes.values());
  return root;
}

function fill(
  document: SchemaDocument,
  raw: RawObject,
  into: Node,
  node: Site['node'],
  late: Site['late'],
): void {
  // draft-07 ignores all other keywords next to a `$ref`.
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

/**
 * Rejects schemas that would evaluate one value without end (SCHEMA_CIRCULAR_REF), or far too often
 * (SCHEMA_TOO_COMPLEX): branches that refer to branches double with each step.
 */
function rejectLoops(nodes: Iterable<Node>): void {
  /** How many looks at one value each schema leads to; 0 while that is found out. */
  const looks = new Map<Node, number>();
  for (const start of nodes) {
    const path: { readonly node: Node; next: number; sum: number }[] = [];
    const open = (node: Node): void => {
      looks.set(node, 0);
      path.push({ node, next: 0, sum: 1 });
    };
    if (!looks.has(start)) open(start);
    for (let top = path.at(-1); top !== undefined; top = path.at(-1)) {
      const inner = top.node.beside[top.next];
      if (inner === undefined) {
        looks.set(top.node, top.sum);
        path.pop();
        continue;
      }
      const known = looks.get(inner);
      if (known === 0)
        throw new JsonSchemaError(
          'SCHEMA_CIRCULAR_REF',
          // What stands for several is at no place; the one after it then is part of the loop.
          top.node.at || inner.at,
          'it refers to itself without a step into the value',
        );
      if (known === undefined) {
        open(inner);
        continue;
      }
      top.sum += known;
      top.next += 1;
      if (top.sum > maxFanOut)
        throw new JsonSchemaError(
          'SCHEMA_TOO_COMPLEX',
          top.node.at,
          `more than ${maxFanOut} schemas for one value`,
        );
    }
  }
}

/** A compiled schema. */
export interface Checker {
  /** The issues of a value; empty if it is valid. */
  check(value: unknown): readonly ValidationIssue[];
  /** About how many bytes it keeps. */
  readonly weightBytes: number;
}

/** Compiles a schema for checks of values. Throws a JsonSchemaError. */
export function checkerOf(raw: RawObject, settings: Settings): Checker {
  const document = new SchemaDocument(raw, dialectOf(raw), settings);
  const root = compile(document);
  const check = (value: unknown): readonly ValidationIssue[] => {
    const run = new ValidationRun(settings.maxSteps);
    try {
      return evaluate(root, value, run) ? none : run.issues;
    } catch (error) {
      // A value that was not checked completely counts as invalid.
      const deep = error instanceof RangeError;
      if (!deep && !(error instanceof BudgetExceededError)) throw error;
      const message = deep ? 'was not checked to its end: it is nested too deeply' : (error as Error).message;
      return [...run.issues, { message, path: [], code: 'BUDGET_EXCEEDED' }];
    }
  };
  const { subschemas, patterns, nameBytes } = document;
  return { check, weightBytes: 1_000 * subschemas + 300 * patterns.steps + nameBytes };
}

const none: readonly ValidationIssue[] = Object.freeze([]);
