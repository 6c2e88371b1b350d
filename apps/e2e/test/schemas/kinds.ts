import { toStandardJsonSchema } from '@valibot/to-json-schema';
import { type } from 'arktype';
import { jsonSchema } from 'rxmcp/json-schema';
import type { StandardSchema } from 'rxmcp';
import * as v from 'valibot';
import * as z from 'zod';

interface Query {
  readonly city: string;
  readonly days?: number | undefined;
}

interface Forecast {
  readonly degrees: readonly number[];
}

/** The same schemas in one library. */
export interface Kind {
  readonly name: string;
  /** `city` is also repeated in a header of calls; `days` is a whole number. */
  readonly query: StandardSchema<unknown, Query>;
  readonly forecast: StandardSchema<Forecast, Forecast>;
  /** Any JSON, here a number. */
  readonly count: StandardSchema<number, number>;
}

const header = { 'x-mcp-header': 'City' };

export const kinds: readonly Kind[] = [
  {
    name: 'zod',
    query: z.object({ city: z.string().meta(header), days: z.number().int().optional() }),
    forecast: z.object({ degrees: z.array(z.number()) }),
    count: z.number(),
  },
  {
    name: 'valibot',
    query: toStandardJsonSchema(
      v.object({
        city: v.pipe(v.string(), v.metadata(header)),
        days: v.optional(v.pipe(v.number(), v.integer())),
      }),
    ),
    forecast: toStandardJsonSchema(v.object({ degrees: v.array(v.number()) })),
    count: toStandardJsonSchema(v.number()),
  },
  {
    name: 'arktype',
    query: type({ city: type('string').configure(header as object), 'days?': 'number.integer' }),
    forecast: type({ degrees: 'number[]' }),
    count: type('number'),
  },
  {
    name: 'raw',
    query: jsonSchema({
      $schema: 'https://json-schema.org/draft/2020-12/schema',
      type: 'object',
      properties: { city: { type: 'string', ...header }, days: { type: 'integer' } },
      required: ['city'],
    }),
    forecast: jsonSchema({
      type: 'object',
      properties: { degrees: { type: 'array', items: { type: 'number' } } },
      required: ['degrees'],
    }),
    count: jsonSchema({ type: 'number' }),
  },
];
