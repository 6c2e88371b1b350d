import type { SchemaResult, StandardSchema } from '@rxmcp/core';
import { pickFormContent, validateContent } from './validate-form.js';
import { checkDefaults } from './defaults.js';
import { flatSchema } from './form-schema.js';
import type {
  BooleanField,
  EnumField,
  MultiSelectField,
  FormContent,
  FormField,
  FormSchema,
  NumberField,
  StringField,
} from './types.js';

/** A field with the type of its value. `T` includes undefined for an optional field. */
export interface Field<T> {
  readonly json: FormField;
  readonly optional: boolean;
  /** For the compiler only; never present. */
  readonly valueType?: T;
}

/** A form made of fields: a Standard Schema that is also a Standard JSON Schema. */
export type Form<T> = StandardSchema<T, T>;

/** The values of all fields of a form. */
export type FormValue<F extends Readonly<Record<string, Field<unknown>>>> = {
  readonly [N in keyof F as F[N] extends Field<infer T> ? (undefined extends T ? never : N) : never]: ValueOf<
    F[N]
  >;
} & {
  readonly [
    N in keyof F as F[N] extends Field<infer T> ? (undefined extends T ? N : never) : never
  ]?: Exclude<ValueOf<F[N]>, undefined>;
};

type ValueOf<F> = F extends Field<infer T> ? T : never;
/** One of the choices, which adds none to them: `NoInfer`, which TypeScript has since 5.4. */
type OneOf<C> = [C][C extends unknown ? 0 : never];
type Text = Omit<StringField, 'type'>;
type Shown = Pick<EnumField, 'title' | 'description'>;

/**
 * Makes a form of fields by name.
 * @throws TypeError for an invalid field and for a default that does not fit its field
 */
export function form<F extends Readonly<Record<string, Field<unknown>>>>(fields: F): Form<FormValue<F>> {
  const entries = Object.entries(fields);
  const flat = flatSchema({
    type: 'object',
    properties: Object.fromEntries(entries.map(([name, field]) => [name, field.json])),
    required: entries.flatMap(([name, field]) => (field.optional ? [] : [name])),
  });
  const schema: FormSchema = checkDefaults(flat);
  const json = (): Record<string, unknown> => ({ ...schema });
  return {
    '~standard': {
      version: 1,
      vendor: 'rxmcp',
      validate: (value) => checked(schema, value) as SchemaResult<FormValue<F>>,
      jsonSchema: { input: json, output: json },
    },
  };
}

/** Makes a field for one line of text. */
export function stringField(options: Text = {}): Field<string> {
  return field({ ...options, type: 'string' });
}

/** Makes a field for a number. */
export function numberField(options: Omit<NumberField, 'type'> = {}): Field<number> {
  return field({ ...options, type: 'number' });
}

/** Makes a field for an integer. */
export function integerField(options: Omit<NumberField, 'type'> = {}): Field<number> {
  return field({ ...options, type: 'integer' });
}

/** Makes a field for yes or no. */
export function booleanField(options: Omit<BooleanField, 'type'> = {}): Field<boolean> {
  return field({ ...options, type: 'boolean' });
}

/** Makes a field for one of several strings: a list, or an object from strings to titles. */
export function enumField<const C extends string>(
  choices: readonly C[] | Readonly<Record<C, string>>,
  options: Shown & { readonly default?: OneOf<C> } = {},
): Field<C> {
  const titles = titled(choices);
  return field({
    ...options,
    type: 'string',
    ...(titles ? { oneOf: titles } : { enum: choices as readonly C[] }),
  });
}

/** Makes a field for any number of several strings: a list, or an object from strings to titles. Supported since 2025-11-25. */
export function multiSelectField<const C extends string>(
  choices: readonly C[] | Readonly<Record<C, string>>,
  options: Omit<MultiSelectField, 'type' | 'items' | 'default'> & {
    readonly default?: readonly OneOf<C>[];
  } = {},
): Field<readonly C[]> {
  const titles = titled(choices);
  const items = titles ? { anyOf: titles } : { type: 'string' as const, enum: choices as readonly C[] };
  return field({ ...options, type: 'array', items });
}

/** Makes a field optional. */
export function optional<T>({ json }: Field<T>): Field<T | undefined> {
  return { json, optional: true };
}

function field<T>(json: FormField): Field<T> {
  return { json, optional: false };
}

function titled(
  choices: readonly string[] | Readonly<Record<string, string>>,
): { const: string; title: string }[] | undefined {
  return Array.isArray(choices)
    ? undefined
    : Object.entries(choices as object).map(([value, title]) => ({ const: value, title: String(title) }));
}

function checked(schema: FormSchema, value: unknown): SchemaResult<unknown> {
  const issues = validateContent(schema, value);
  return issues.length > 0 ? { issues } : { value: pickFormContent(schema, value as FormContent) };
}
