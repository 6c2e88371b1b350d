import { absolute, unnamedDocument, relativeName } from './reference.js';
import type { Settings } from './options.js';
import { Patterns } from '../pattern/matcher.js';
import { type RawObject, below, isRaw } from './raw-schema.js';
import { JsonSchemaError, shown } from './schema-error.js';

/** The place of a schema in the document, and the base of its references. */
export interface Place {
  readonly at: string;
  readonly resource: string;
}

/** Schemas by the name of their anchor, then by their resource: late references ask for all of one name. */
type Anchors = Map<string, Map<string, RawObject>>;

/** All possible targets of references, collected in one walk that counts schemas. */
export class SchemaDocument {
  readonly places = new Map<RawObject, Place>();
  readonly resources = new Map<string, RawObject>();
  readonly anchors: Anchors = new Map();
  /** Those that a schema further out may take over. */
  readonly dynamicAnchors: Anchors = new Map();
  readonly patterns = new Patterns();
  #count = 0;

  constructor(
    readonly root: RawObject,
    readonly dialect: Dialect,
    readonly settings: Settings,
  ) {
    this.resources.set(unnamedDocument, root);
    this.walk(root, '', unnamedDocument, 0);
  }

  /** How many schemas there are. */
  get subschemas(): number {
    return this.#count;
  }

  /** What the names in full take: a short one may be relative to a long one. */
  get nameBytes(): number {
    let bytes = 0;
    for (const resource of this.resources.keys()) bytes += 200 + resource.length;
    for (const anchors of [this.anchors, this.dynamicAnchors])
      for (const [name, schemas] of anchors) bytes += 200 + name.length + 200 * schemas.size;
    return bytes;
  }

  /** Takes one schema into account, and those in it. */
  walk(schema: unknown, at: string, outer: string, depth: number): void {
    if (depth > this.settings.maxSchemaDepth)
      throw new JsonSchemaError(
        'SCHEMA_TOO_DEEP',
        at,
        `more than ${this.settings.maxSchemaDepth} schemas deep`,
      );
    if (++this.#count > this.settings.maxSubschemas)
      throw new JsonSchemaError(
        'SCHEMA_TOO_COMPLEX',
        at,
        `more than ${this.settings.maxSubschemas} subschemas`,
      );
    if (typeof schema === 'boolean') return;
    if (!isRaw(schema)) throw new JsonSchemaError('SCHEMA_INVALID', at, 'must be an object or a boolean');
    const resource = this.#named(schema, at, outer);
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

  /** Records the names of a schema. Returns the resource that it belongs to. */
  #named(schema: RawObject, at: string, outer: string): string {
    let resource = outer;
    // draft-07 ignores all other keywords next to a `$ref`.
    const id = this.dialect === 'draft-07' && '$ref' in schema ? undefined : schema['$id'];
    if (id !== undefined) {
      if (typeof id !== 'string')
        throw new JsonSchemaError('SCHEMA_INVALID', below(at, '$id'), 'must be a string');
      if (id.startsWith('#') && id.length > 1) this.#anchor(outer, id.slice(1), schema, below(at, '$id'));
      else if (id !== '' && id !== '#') {
        ({ resource } = absolute(id, outer, below(at, '$id')));
        take(this.resources, resource, resource, schema, below(at, '$id'));
      }
    }
    const { $anchor, $dynamicAnchor } = schema;
    if (typeof $anchor === 'string') this.#anchor(resource, $anchor, schema, below(at, '$anchor'));
    if (typeof $dynamicAnchor === 'string') {
      this.#anchor(resource, $dynamicAnchor, schema, below(at, '$dynamicAnchor'));
      schemasOf(this.dynamicAnchors, $dynamicAnchor).set(resource, schema);
    }
    // The word of 2019-09 for the same; it has one name only.
    if (schema['$recursiveAnchor'] === true && this.dialect === '2019-09')
      schemasOf(this.dynamicAnchors, '').set(resource, schema);
    return resource;
  }

  #anchor(resource: string, name: string, schema: RawObject, at: string): void {
    take(schemasOf(this.anchors, name), resource, `${resource}#${name}`, schema, at);
  }
}

/** The schemas whose anchor has a name, by their resource. */
function schemasOf(anchors: Anchors, name: string): Map<string, RawObject> {
  const schemas = anchors.get(name) ?? new Map<string, RawObject>();
  anchors.set(name, schemas);
  return schemas;
}

/** Notes a schema by its resource, unless there is another one: then its name in full is SCHEMA_DUPLICATE_ID. */
function take(
  into: Map<string, RawObject>,
  resource: string,
  full: string,
  schema: RawObject,
  at: string,
): void {
  const other = into.get(resource);
  if (other !== undefined && other !== schema)
    throw new JsonSchemaError(
      'SCHEMA_DUPLICATE_ID',
      at,
      `${shown(relativeName(full))} is the name of another one already`,
    );
  into.set(resource, schema);
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

/** A revision of JSON Schema that is understood. */
type Dialect = '2020-12' | '2019-09' | 'draft-07';

/**
 * The dialect that `$schema` names; 2020-12 where none is named.
 * @see Spec 2026-07-28 basic#json-schema-usage
 */
export function dialectOf(schema: Readonly<Record<string, unknown>>): Dialect {
  const named = schema['$schema'];
  if (named === undefined) return '2020-12';
  const known = typeof named === 'string' ? dialects.get(named.replace(/#$/, '')) : undefined;
  if (known !== undefined) return known;
  const what = typeof named === 'string' ? shown(named) : typeof named;
  throw new JsonSchemaError(
    'SCHEMA_UNSUPPORTED_DIALECT',
    '',
    `the dialect ${what} is not known: use ${[...dialects.values()].slice(0, 3).join(', ')}`,
  );
}

const dialects: ReadonlyMap<string, Dialect> = new Map([
  ['https://json-schema.org/draft/2020-12/schema', '2020-12'],
  ['https://json-schema.org/draft/2019-09/schema', '2019-09'],
  ['http://json-schema.org/draft-07/schema', 'draft-07'],
  ['https://json-schema.org/draft-07/schema', 'draft-07'],
]);
