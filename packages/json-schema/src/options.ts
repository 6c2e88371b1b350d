import type { JsonSchemaLimits } from './limits.js';
import { limitsOf } from './limits.js';

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
  const { format = usually } = options;
  if (format !== 'assertion' && format !== 'annotation')
    throw new RangeError(`format must be "assertion" or "annotation", not ${String(format)}`);
  return { ...limitsOf(options), format };
}
