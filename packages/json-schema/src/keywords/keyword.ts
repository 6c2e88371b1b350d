import type { SchemaDocument } from '../schema/document.js';
import type { Check, Node } from '../compile/node.js';
import { below, isRaw, type RawObject } from '../schema/raw-schema.js';
import { JsonSchemaError } from '../schema/schema-error.js';

/** Where a keyword stands. */
export interface Site {
  readonly document: SchemaDocument;
  /** The schema around it. */
  readonly raw: RawObject;
  readonly into: Node;
  /** The keyword, as a JSON Pointer. */
  readonly at: string;
  readonly node: (raw: RawObject | boolean, at: string) => Node;
  /** The possible targets of the schema's dynamic references, by the name of the anchor. */
  readonly late: Map<string, LateTargets>;
}

/** The possible targets of all dynamic references of one name. */
export interface LateTargets {
  readonly byResource: ReadonlyMap<string, Node>;
  /** The node that stands for all of them where they are referenced. */
  readonly any: Node;
}

/** Makes the check of a keyword; undefined if it has no effect. Throws SCHEMA_INVALID for an invalid value. */
export type Keyword = (operand: unknown, site: Site) => Check | undefined;

export function invalid(at: string, what: string): JsonSchemaError {
  return new JsonSchemaError('SCHEMA_INVALID', at, what);
}

/** An operand that is a schema. */
export function schemaAt(operand: unknown, at: string, site: Site): Node {
  if (typeof operand !== 'boolean' && !isRaw(operand)) throw invalid(at, 'must be a schema');
  return site.node(operand, at);
}

/** An operand that is a list of schemas. */
export function schemasAt(operand: unknown, site: Site): readonly Node[] {
  if (!Array.isArray(operand)) throw invalid(site.at, 'must be an array of schemas');
  return operand.map((inner: unknown, i) => schemaAt(inner, below(site.at, i), site));
}

/** An operand whose members are schemas. */
export function schemaMap(operand: unknown, site: Site): ReadonlyMap<string, Node> {
  const members = objectAt(operand, site.at);
  return new Map(
    Object.entries(members).map(([key, inner]) => [key, schemaAt(inner, below(site.at, key), site)]),
  );
}

export function objectAt(operand: unknown, at: string): RawObject {
  if (!isRaw(operand)) throw invalid(at, 'must be an object');
  return operand;
}

export function stringsAt(operand: unknown, at: string): readonly string[] {
  if (!Array.isArray(operand) || !operand.every((name): name is string => typeof name === 'string'))
    throw invalid(at, 'must be an array of strings');
  return operand;
}

export function numberAt(operand: unknown, at: string): number {
  if (typeof operand !== 'number') throw invalid(at, 'must be a number');
  return operand;
}

export function countAt(operand: unknown, at: string): number {
  if (typeof operand !== 'number' || !Number.isInteger(operand) || operand < 0)
    throw invalid(at, 'must be a natural number');
  return operand;
}

/** Whether an object has a member; undefined counts as absent, as in JSON. */
export function has(value: Readonly<Record<string, unknown>>, key: string): boolean {
  return Object.hasOwn(value, key) && value[key] !== undefined;
}
