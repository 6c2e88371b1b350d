import type { Dialect } from './dialect.js';
import { Patterns } from './pattern/matcher.js';
import { below, isRaw, type RawObject } from './raw.js';
import { JsonSchemaError, shown } from './schema-error.js';

/** Where a schema of the document is, and what its references are relative to. */
export interface Place {
  readonly at: string;
  readonly resource: string;
}

/** All that references may lead to. Built by one walk, which counts. */
export class SchemaDocument {
  readonly places = new Map<RawObject, Place>();
  readonly resources = new Map<string, RawObject>();
  /** By `resource#name`. */
  readonly anchors = new Map<string, RawObject>();
  /** The same, of anchors that a schema further out may take over. */
  readonly dynamicAnchors = new Map<string, RawObject>();
  readonly patterns = new Patterns();
  private count = 0;

  constructor(
    readonly root: RawObject,
    readonly dialect: Dialect,
    private readonly limits: { readonly maxDepth: number; readonly maxSubschemas: number },
  ) {
    this.resources.set(home, root);
    this.walk(root, '', home, 0);
  }

  /** How many schemas there are. */
  get subschemas(): number {
    return this.count;
  }

  /** What the names in full take: a short one may be relative to a very long one. */
  get nameBytes(): number {
    let bytes = 0;
    for (const names of [this.resources, this.anchors, this.dynamicAnchors])
      for (const name of names.keys()) bytes += 200 + name.length;
    return bytes;
  }

  /** Takes one schema into account, and those in it. */
  walk(schema: unknown, at: string, outer: string, depth: number): void {
    if (depth > this.limits.maxDepth)
      throw new JsonSchemaError('SCHEMA_TOO_DEEP', at, `more than ${this.limits.maxDepth} schemas deep`);
    if (++this.count > this.limits.maxSubschemas)
      throw new JsonSchemaError('SCHEMA_TOO_MANY', at, `more than ${this.limits.maxSubschemas} subschemas`);
    if (typeof schema === 'boolean') return;
    if (!isRaw(schema))
      throw new JsonSchemaError('SCHEMA_INVALID', at, 'this is neither an object nor a boolean');
    const resource = this.named(schema, at, outer);
    this.places.set(schema, { at, resource });
    for (const [keyword, operand] of Object.entries(schema)) {
      if (lists.has(keyword) && Array.isArray(operand)) {
        operand.forEach((inner, i) => this.walk(inner, below(at, keyword, i), resource, depth + 1));
      } else if (maps.has(keyword) && isRaw(operand)) {
        for (const [key, inner] of Object.entries(operand)) {
          // Older dialects have names there as well.
          if (!Array.isArray(inner)) this.walk(inner, below(at, keyword, key), resource, depth + 1);
        }
      } else if (singles.has(keyword)) {
        this.walk(operand, below(at, keyword), resource, depth + 1);
      }
    }
  }

  /** Notes what a schema is called; gives the resource that it belongs to. */
  private named(schema: RawObject, at: string, outer: string): string {
    let resource = outer;
    // Beside a reference, draft-07 hears of nothing else.
    const id = this.dialect === 'draft-07' && '$ref' in schema ? undefined : schema['$id'];
    if (id !== undefined) {
      if (typeof id !== 'string')
        throw new JsonSchemaError('SCHEMA_INVALID', below(at, '$id'), 'must be a string');
      if (id.startsWith('#') && id.length > 1)
        this.anchor(this.anchors, `${outer}${id}`, schema, below(at, '$id'));
      else if (id !== '' && id !== '#') {
        resource = absolute(id, outer, below(at, '$id')).split('#', 1)[0] as string;
        this.anchor(this.resources, resource, schema, below(at, '$id'));
      }
    }
    const { $anchor, $dynamicAnchor } = schema;
    if (typeof $anchor === 'string')
      this.anchor(this.anchors, `${resource}#${$anchor}`, schema, below(at, '$anchor'));
    if (typeof $dynamicAnchor === 'string') {
      this.anchor(this.anchors, `${resource}#${$dynamicAnchor}`, schema, below(at, '$dynamicAnchor'));
      this.dynamicAnchors.set(`${resource}#${$dynamicAnchor}`, schema);
    }
    // The word of 2019-09 for the same; it has one name only.
    if (schema['$recursiveAnchor'] === true && this.dialect === '2019-09')
      this.dynamicAnchors.set(`${resource}#`, schema);
    return resource;
  }

  private anchor(into: Map<string, RawObject>, name: string, schema: RawObject, at: string): void {
    const other = into.get(name);
    if (other !== undefined && other !== schema)
      throw new JsonSchemaError(
        'SCHEMA_CLASH',
        at,
        `${shown(withoutHome(name))} is the name of another one already`,
      );
    into.set(name, schema);
  }
}

/** What a document without a name of its own is called. */
const home = 'json-schema:///';

/** A reference in full. Throws SCHEMA_REF for what is none. */
export function absolute(reference: string, base: string, at: string): string {
  if (reference.startsWith('#')) return base + reference;
  try {
    return new URL(reference, base).href;
  } catch (cause) {
    throw new JsonSchemaError('SCHEMA_REF', at, `${shown(reference)} is no reference`, cause);
  }
}

/** How a name was written, as far as that is known. */
function withoutHome(name: string): string {
  return name.startsWith(home) ? name.slice(home.length) : name;
}

// Where schemas stand in a schema; all else in it is data, which references may still lead to.
const lists: ReadonlySet<string> = new Set(['prefixItems', 'items', 'allOf', 'anyOf', 'oneOf']);
const maps: ReadonlySet<string> = new Set([
  'properties',
  'patternProperties',
  'dependentSchemas',
  'dependencies',
  '$defs',
  'definitions',
]);
const singles: ReadonlySet<string> = new Set([
  'items',
  'additionalItems',
  'unevaluatedItems',
  'contains',
  'additionalProperties',
  'unevaluatedProperties',
  'propertyNames',
  'not',
  'if',
  'then',
  'else',
]);
