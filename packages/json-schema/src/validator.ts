import { checkerOf } from './compile.js';
import { checkedSchema, type JsonSchemaObject } from './json-schema.js';
import type { JsonSchemaOptions } from './options.js';
import { alikeOptions, knownOptions, rejectUnknownOptions, settingsOf } from './options.js';
import { isRaw, type RawObject, rawOf } from './raw-schema.js';
import { JsonSchemaError } from './schema-error.js';
import type { StandardJsonSchema } from './json-schema.js';

/** Options of {@link validator}. */
export interface ValidatorOptions extends JsonSchemaOptions {
  /** Most compiled schemas in the cache, of at most 32 MiB; the least recently used is removed first. @default 256 */
  readonly maxCachedSchemas?: number;
}

/** Makes a Standard Schema of a foreign JSON Schema. Throws a JsonSchemaError for a schema that it rejects. */
export type JsonSchemaValidator = (schema: JsonSchemaObject) => StandardJsonSchema;

const maxKeptBytes = 32 * 1_048_576;

interface Kept {
  readonly schema: StandardJsonSchema | JsonSchemaError;
  readonly bytes: number;
}

/**
 * Makes Standard Schemas of JSON Schemas that come at runtime, such as those of a server's tools:
 * `tools(remote, { validator: validator() })`. Schemas of the same content are made ready once, however often they are listed;
 * those that were refused are remembered as well. A schema object is read once: what is changed in it later is not seen.
 * `format` refuses nothing, which is the default of the standard, unless `options` say that it is an assertion.
 */
export function validator(options: ValidatorOptions = {}): JsonSchemaValidator {
  const known = { ...knownOptions, maxCachedSchemas: true } satisfies Record<keyof ValidatorOptions, true>;
  rejectUnknownOptions('validator', options, known, { ...alikeOptions, maxSchemas: 'maxCachedSchemas' });
  const { maxCachedSchemas = 256, ...rest } = options;
  if (!Number.isSafeInteger(maxCachedSchemas) || maxCachedSchemas < 1)
    throw new RangeError(`maxCachedSchemas must be a positive integer, not ${String(maxCachedSchemas)}`);
  const settings = settingsOf(rest, 'annotation');
  const ready = new Map<string, Kept>();
  /** The content of earlier schema objects, or the error of reading them, so that each is read once. */
  const read = new WeakMap<object, string | JsonSchemaError>();
  let bytes = 0;
  const forget = (text: string, kept: Kept): void => {
    ready.delete(text);
    bytes -= kept.bytes;
  };
  const textOf = (given: JsonSchemaObject): string => {
    const before = read.get(given);
    if (JsonSchemaError.is(before)) throw before;
    if (before !== undefined) return before;
    try {
      const { text } = rawOf(given, settings.maxSchemaBytes);
      read.set(given, text);
      return text;
    } catch (error) {
      if (JsonSchemaError.is(error) && isRaw(given)) read.set(given, error);
      throw error;
    }
  };
  return (given) => {
    const text = textOf(given);
    const known = ready.get(text);
    if (known !== undefined) forget(text, known);
    const kept = known ?? keep(text);
    // A map keeps the order of insertion: a used entry moves to its end.
    ready.set(text, kept);
    bytes += kept.bytes;
    for (const [oldest, other] of ready) {
      if (ready.size <= maxCachedSchemas && (bytes <= maxKeptBytes || ready.size === 1)) break;
      forget(oldest, other);
    }
    if (JsonSchemaError.is(kept.schema)) throw kept.schema;
    return kept.schema;

    function keep(content: string): Kept {
      try {
        const raw = JSON.parse(content) as RawObject;
        const { check, weightBytes } = checkerOf(raw, settings);
        return { schema: checkedSchema(raw, check), bytes: 4 * content.length + weightBytes };
      } catch (error) {
        if (!JsonSchemaError.is(error)) throw error;
        return { schema: error, bytes: 2 * content.length };
      }
    }
  };
}
