/** Options of `jsonSchema`. */
export interface JsonSchemaOptions extends JsonSchemaLimits {
  /**
   * As an assertion, `format` refuses values that are not of its format; as an annotation it refuses none, which is the
   * default of the standard (JSON Schema Validation 2020-12, 7.2.1). @default 'assertion'; 'annotation' in `validator`
   */
  readonly format?: 'assertion' | 'annotation';
}

/** What a schema is made ready with. */
export type Settings = Required<JsonSchemaOptions>;

/** Options, all of them told. Throws a RangeError for one that cannot be. */
export function settingsOf(options: JsonSchemaOptions, usually: Settings['format']): Settings {
  rejectRenamedOptions('jsonSchema', options, { maxBytes: 'maxSchemaBytes', maxDepth: 'maxSchemaDepth' });
  const { format = usually } = options;
  if (format !== 'assertion' && format !== 'annotation')
    throw new RangeError(`format must be "assertion" or "annotation", not ${String(format)}`);
  return { ...limitsOf(options), format };
}

/** How much a schema and a check may cost. */
export interface JsonSchemaLimits {
  /** The schema as JSON, in bytes. @default 65_536 */
  readonly maxSchemaBytes?: number;
  /** Subschemas within subschemas. @default 32 */
  readonly maxSchemaDepth?: number;
  /** Subschemas in all. @default 2_000 */
  readonly maxSubschemas?: number;
  /** Work of one check; this many are about a tenth of a second. @default 1_000_000 */
  readonly maxSteps?: number;
}

/** Limits, all of them told. Throws a RangeError for one that is no positive integer. */
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

/** Data in a schema, such as a `const`, may be nested no deeper than any message. */
export const maxDataDepth = 128;

/** What a schema is called in full, and refers to, without what comes after a `#`; in characters. */
export const maxNameLength = 2_048;

/** How often one value may be looked at because of combinations and references. */
export const maxFanOut = 10_000;

/** Schemas within each other while one value is checked: a bound for the stack. */
export const maxNesting = 1_000;

/** As in `@rxmcp/transport`, on which this package does not depend. */
export function rejectRenamedOptions(
  where: string,
  options: object,
  renamed: Readonly<Record<string, string>>,
): void {
  for (const name in renamed)
    if ((options as Record<string, unknown>)[name] !== undefined)
      throw new TypeError(`${where}: unknown option "${name}", did you mean "${renamed[name]}"?`);
}
