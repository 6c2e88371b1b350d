import { maxDataDepth } from './options.js';
import { JsonSchemaError } from './schema-error.js';

/** A schema object, as it is in JSON. */
export type RawObject = Readonly<Record<string, unknown>>;

/** Returns a private copy of a schema, as it would be sent. Throws a JsonSchemaError for invalid JSON, and for a too large or too deep schema. */
export function rawOf(schema: unknown, maxBytes: number): { readonly raw: RawObject; readonly text: string } {
  let text: string | undefined;
  try {
    text = JSON.stringify(schema) as string | undefined;
  } catch (cause) {
    const deep = cause instanceof RangeError;
    throw new JsonSchemaError(
      deep ? 'SCHEMA_TOO_DEEP' : 'SCHEMA_INVALID',
      '',
      'the schema is not valid JSON',
      cause,
    );
  }
  if (text === undefined) throw new JsonSchemaError('SCHEMA_INVALID', '', 'the schema is not valid JSON');
  if (text.length > maxBytes || new TextEncoder().encode(text).length > maxBytes)
    throw new JsonSchemaError('SCHEMA_TOO_LARGE', '', `it is larger than ${maxBytes} bytes`);
  if (!isNested(text)) throw new JsonSchemaError('SCHEMA_TOO_DEEP', '', 'its data is nested too deeply');
  const raw: unknown = JSON.parse(text);
  if (!isRaw(raw)) throw new JsonSchemaError('SCHEMA_INVALID', '', 'the schema is not an object');
  return { raw, text };
}

/** True for a JSON object. */
export function isRaw(value: unknown): value is RawObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** A JSON Pointer that goes one step further. */
export function below(at: string, ...steps: readonly (string | number)[]): string {
  return steps.reduce<string>(
    (path, step) => `${path}/${String(step).replaceAll('~', '~0').replaceAll('/', '~1')}`,
    at,
  );
}

// Schemas within schemas take two levels each, data in them at most what a message may have.
function isNested(text: string): boolean {
  let depth = 0;
  let quoted = false;
  for (let i = 0; i < text.length; i += 1) {
    const char = text[i];
    if (quoted) {
      if (char === '\\') i += 1;
      else if (char === '"') quoted = false;
    } else if (char === '"') quoted = true;
    else if (char === '{' || char === '[') {
      if (++depth > maxDataDepth) return false;
    } else if (char === '}' || char === ']') depth -= 1;
  }
  return true;
}
