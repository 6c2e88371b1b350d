/** Codes of {@link JsonSchemaError}; stable. */
export type JsonSchemaErrorCode =
  | 'SCHEMA_INVALID' // A keyword has an invalid value, or a name is longer than 2,048 characters.
  | 'SCHEMA_TOO_LARGE' // The schema as JSON is larger than `maxSchemaBytes`.
  | 'SCHEMA_TOO_DEEP' // Subschemas are nested deeper than `maxSchemaDepth`, or data in the schema is nested too deeply.
  | 'SCHEMA_TOO_COMPLEX' // The schema has more than `maxSubschemas` subschemas, or applies too many of them to one value.
  | 'SCHEMA_UNSUPPORTED_DIALECT' // `$schema` names an unsupported dialect.
  | 'SCHEMA_UNRESOLVED_REF' // A reference has no target within the schema. References to other documents are never followed.
  | 'SCHEMA_DUPLICATE_ID' // Two subschemas have the same `$id` or anchor.
  | 'SCHEMA_CIRCULAR_REF' // A reference leads back to itself without a step into the value.
  | 'SCHEMA_UNSUPPORTED_PATTERN'; // A pattern is invalid, or cannot be matched in linear time.

/** The error for a rejected schema. The message names the cause, `pointer` the place. */
export class JsonSchemaError extends Error {
  override readonly name = 'JsonSchemaError';
  readonly code: JsonSchemaErrorCode;
  /** The place in the schema, as a JSON Pointer; `''` is its root. */
  readonly pointer: string;

  constructor(code: JsonSchemaErrorCode, pointer: string, what: string, cause?: unknown) {
    super(
      `${pointer === '' ? 'the schema' : `the schema at ${shown(pointer)}`}: ${what}`,
      cause === undefined ? undefined : { cause },
    );
    Object.defineProperty(this, kind, { value: true });
    this.code = code;
    this.pointer = pointer;
  }

  /** Returns whether a value is a JsonSchemaError of any installed copy of this package. */
  static is(value: unknown): value is JsonSchemaError {
    return typeof value === 'object' && value !== null && kind in value;
  }
}

const kind = Symbol.for('rxmcp.json-schema-error');

/** Quotes text of others for a message: on one line, at most 100 characters. */
export function shown(text: string): string {
  // Cut first: the text may be of any length, and quoting makes it longer.
  const quoted = JSON.stringify(text.slice(0, 100));
  return quoted.length <= 100 ? quoted : `${quoted.slice(0, 99)}…`;
}
