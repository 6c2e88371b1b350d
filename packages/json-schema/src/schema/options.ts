/** Options of `jsonSchema`. */
export interface JsonSchemaOptions extends JsonSchemaLimits {
  /**
   * As an assertion, `format` rejects values of another format. As an annotation it rejects nothing, which is the
   * default of the standard (JSON Schema Validation 2020-12, 7.2.1). @default 'assertion'; 'annotation' in `validator`
   */
  readonly format?: 'assertion' | 'annotation';
}

/** The complete options of a schema. */
export type Settings = Required<JsonSchemaOptions>;

/** Returns the options with their defaults. Throws a RangeError for an invalid one. */
export function settingsOf(options: JsonSchemaOptions, usually: Settings['format']): Settings {
  rejectUnknownOptions('jsonSchema', options, knownOptions, alikeOptions);
  const { format = usually } = options;
  if (format !== 'assertion' && format !== 'annotation')
    throw new RangeError(`format must be "assertion" or "annotation", not ${String(format)}`);
  return { ...limitsOf(options), format };
}

/** The names of {@link JsonSchemaOptions}. */
export const knownOptions: Record<keyof JsonSchemaOptions, true> = {
  format: true,
  maxSchemaBytes: true,
  maxSchemaDepth: true,
  maxSubschemas: true,
  maxSteps: true,
};

/** Names of {@link JsonSchemaOptions} that users try. */
export const alikeOptions = { maxBytes: 'maxSchemaBytes', maxDepth: 'maxSchemaDepth' };

/** Limits of a schema and of a check. */
export interface JsonSchemaLimits {
  /** Largest schema as JSON, in bytes. @default 65_536 */
  readonly maxSchemaBytes?: number;
  /** Deepest nesting of subschemas. @default 32 */
  readonly maxSchemaDepth?: number;
  /** Most subschemas of a schema. @default 2_000 */
  readonly maxSubschemas?: number;
  /** Most steps of one check; the default takes about 0.1 s. @default 1_000_000 */
  readonly maxSteps?: number;
}

/** Returns the limits with their defaults. Throws a RangeError for one that is not a positive integer. */
function limitsOf(options: JsonSchemaLimits): Required<JsonSchemaLimits> {
  const limits = { maxSchemaBytes: 65_536, maxSchemaDepth: 32, maxSubschemas: 2_000, maxSteps: 1_000_000 };
  for (const name of Object.keys(limits) as (keyof JsonSchemaLimits)[]) {
    const value = options[name];
    if (value === undefined) continue;
    if (!Number.isSafeInteger(value) || value < 1)
      throw new RangeError(`${name} must be a positive integer, not ${String(value)}`);
    limits[name] = value;
  }
  return limits;
}

/** The deepest nesting of data in a schema, such as a `const`: the same as for messages. */
export const maxDataDepth = 128;

/** Longest absolute name of a schema or reference, without its fragment, in characters. */
export const maxNameLength = 2_048;

/** How often combinations and references may evaluate one value. */
export const maxFanOut = 10_000;

/** Deepest nesting of schemas while one value is checked: it bounds the stack. */
export const maxNesting = 1_000;

/** As in `@rxmcp/transport`, on which this package does not depend. */
export function rejectUnknownOptions(
  where: string,
  options: object,
  known: object,
  alike: Readonly<Record<string, string>>,
): void {
  for (const [name, value] of Object.entries(options)) {
    if (name in known || value === undefined) continue;
    const hint =
      name in alike ? `, did you mean "${alike[name]}"?` : `. It has ${Object.keys(known).join(', ')}`;
    throw new TypeError(`${where}: unknown option "${name}"${hint}`);
  }
}
