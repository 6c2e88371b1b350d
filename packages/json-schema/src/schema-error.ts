/** Why a schema was refused; stable. */
export type JsonSchemaErrorCode =
  | 'SCHEMA_INVALID' // a keyword says something that it cannot say, or a name is longer than 2,048 characters
  | 'SCHEMA_TOO_LARGE' // its JSON exceeds maxBytes
  | 'SCHEMA_TOO_DEEP' // its subschemas, or the data in it, are nested too deeply
  | 'SCHEMA_TOO_COMPLEX' // more than maxSubschemas subschemas, or too many of them for one value
  | 'SCHEMA_UNSUPPORTED_DIALECT' // `$schema` names a dialect that is not known here
  | 'SCHEMA_UNRESOLVED_REF' // a reference leads to nothing within the schema; nothing outside is ever opened
  | 'SCHEMA_DUPLICATE_ID' // two subschemas have the same `$id` or anchor
  | 'SCHEMA_CIRCULAR_REF' // a reference leads back to itself without a step into the value
  | 'SCHEMA_UNSUPPORTED_PATTERN'; // a pattern that cannot be matched in linear time

/** A schema was refused: the message names what in it, and `at` where, as a JSON Pointer. */
export class JsonSchemaError extends Error {
  override readonly name = 'JsonSchemaError';
  readonly code: JsonSchemaErrorCode;
  /** Where in the schema, as a JSON Pointer; `''` is its root. */
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

  /** Recognises one of any installed copy. */
  static is(value: unknown): value is JsonSchemaError {
    return typeof value === 'object' && value !== null && kind in value;
  }
}

const kind = Symbol.for('rxmcp.json-schema-error');

/** Text of others for a message: on one line, and no longer than 100 characters. */
export function shown(text: string): string {
  // Cut first: it may be of any length, and grows only when it is quoted.
  const quoted = JSON.stringify(text.slice(0, 100));
  return quoted.length <= 100 ? quoted : `${quoted.slice(0, 99)}…`;
}
