import { JsonSchemaError, shown } from './schema-error.js';

/** A revision of JSON Schema that is understood. */
export type Dialect = '2020-12' | '2019-09' | 'draft-07';

/** The dialect that `$schema` names; 2020-12 where none is named (spec 2026-07-28 basic#json-schema-usage). */
export function dialectOf(schema: Readonly<Record<string, unknown>>): Dialect {
  const named = schema['$schema'];
  if (named === undefined) return '2020-12';
  const known = typeof named === 'string' ? dialects.get(named.replace(/#$/, '')) : undefined;
  if (known !== undefined) return known;
  const what = typeof named === 'string' ? shown(named) : typeof named;
  throw new JsonSchemaError(
    'SCHEMA_DIALECT',
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
