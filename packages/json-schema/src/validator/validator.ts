import { checkerOf } from '../compile/compile.js';
import { checkedSchema, type JsonSchemaObject, type StandardJsonSchema } from './json-schema.js';
import type { JsonSchemaOptions } from '../schema/options.js';
import { alikeOptions, knownOptions, rejectUnknownOptions, settingsOf } from '../schema/options.js';
import { isRaw, type RawObject, rawOf } from '../schema/raw-schema.js';
import { JsonSchemaError } from '../schema/schema-error.js';

/** Options of {@link validator}. */
export interface ValidatorOptions extends JsonSchemaOptions {
  /** Most compiled schemas in the cache, of at most 32 MiB; the least recently used is removed first. @default 256 */
  readonly maxCachedSchemas?: number;
}

/** Makes a Standard Schema of a JSON Schema that a peer sent. Throws a JsonSchemaError for a schema that it rejects. */
export type JsonSchemaValidator = (schema: JsonSchemaObject) => StandardJsonSchema;

const maxKeptBytes = 32 * 1_048_576;

/** A longer text is no key of a Map: V8 hashes it by its length alone. */
const maxKeyLength = 16_383;

/** The text of a schema, and its key in the cache. */
interface Content {
  readonly text: string;
  readonly key: string;
}

interface Kept {
  /** Two long texts may have the same key. */
  readonly text: string;
  readonly schema: StandardJsonSchema | JsonSchemaError;
  readonly bytes: number;
}

/**
 * Makes Standard Schemas of JSON Schemas that come at runtime, such as those of a server's tools:
 * `tools(remote, { validator: validator() })`. Schemas of the same content are compiled once, however often they are listed;
 * those that were rejected are remembered as well. A schema object is read once: what is changed in it later is not seen.
 * `format` rejects nothing, which is the default of the standard, unless `options` say that it is an assertion.
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
  const read = new WeakMap<object, Content | JsonSchemaError>();
  let bytes = 0;
  const forget = (key: string, kept: Kept): void => {
    ready.delete(key);
    bytes -= kept.bytes;
  };
  const contentOf = (given: JsonSchemaObject): Content => {
    const before = read.get(given);
    if (JsonSchemaError.is(before)) throw before;
    if (before !== undefined) return before;
    try {
      const { text } = rawOf(given, settings.maxSchemaBytes);
      const content = { text, key: keyOf(text) };
      read.set(given, content);
      return content;
    } catch (error) {
      if (JsonSchemaError.is(error) && isRaw(given)) read.set(given, error);
      throw error;
    }
  };
  return (given) => {
    const { text, key } = contentOf(given);
    const known = ready.get(key);
    if (known !== undefined) forget(key, known);
    const kept = known?.text === text ? known : keep(text);
    // A map keeps the order of insertion: a used entry moves to its end.
    ready.set(key, kept);
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
        return { text, schema: checkedSchema(raw, check), bytes: 4 * content.length + weightBytes };
      } catch (error) {
        if (!JsonSchemaError.is(error)) throw error;
        return { text, schema: error, bytes: 2 * content.length };
      }
    }
  };
}

/** Returns the key of a text: itself, or a hash where it is long. */
function keyOf(text: string): string {
  if (text.length <= maxKeyLength) return text;
  let hash = 0x811c9dc5;
  for (let at = 0; at < text.length; at += 1) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  return `${String(text.length)} ${String(hash)}`;
}
