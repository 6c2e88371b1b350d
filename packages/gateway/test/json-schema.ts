import type { JsonObject, StandardSchema } from '@rxmcp/core';

/** A schema that accepts everything and is listed as it is given, so that only the other side could check anything. */
export function jsonSchema(json: JsonObject): StandardSchema<JsonObject, JsonObject> {
  return {
    '~standard': {
      version: 1,
      vendor: 'test',
      validate: (value: unknown) => ({ value: value as JsonObject }),
      jsonSchema: { input: () => json, output: () => json },
    },
  } as unknown as StandardSchema<JsonObject, JsonObject>;
}
