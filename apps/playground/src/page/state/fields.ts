import { JsonSchemaError, validator } from 'rxmcp/json-schema';
import type { JsonSchema } from 'rxmcp/tools';

/** A value that can be chosen, and how it is shown. */
interface Choice {
  readonly value: unknown;
  readonly title: string;
}

/** An input of a form for one property of a schema. */
export interface Field {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly required: boolean;
  /** `choices` allows several; `json` is anything that has no simple input. */
  readonly kind: 'text' | 'number' | 'choice' | 'choices' | 'json';
  readonly choices: readonly Choice[];
  readonly default: unknown;
}

/** What a person entered: a text, or the positions of choices. */
export type Entry = string | readonly number[];

/** Arguments, or what is wrong, by the name of the field; `''` is the whole form. */
export type Arguments =
  { readonly args: Readonly<Record<string, unknown>> } | { readonly problems: ReadonlyMap<string, string> };

/** Returns a field for each property of an object schema. */
export function fieldsOf({ properties, required }: JsonSchema): readonly Field[] {
  const names: readonly unknown[] = Array.isArray(required) ? required : [];
  return Object.entries(objectOf(properties)).map(([name, schema]) =>
    fieldOf(name, objectOf(schema), names.includes(name)),
  );
}

function fieldOf(name: string, schema: JsonSchema, required: boolean): Field {
  const { title, description, default: initial, items, type } = schema;
  const several = type === 'array' ? choicesOf(objectOf(items)) : [];
  const choices = several.length > 0 ? several : choicesOf(schema);
  return {
    name,
    title: typeof title === 'string' ? title : name,
    description: typeof description === 'string' ? description : '',
    required,
    kind: several.length > 0 ? 'choices' : choices.length > 0 ? 'choice' : inputOf(type),
    choices,
    default: initial,
  };
}

function inputOf(type: JsonSchema['type']): Field['kind'] {
  if (type === 'string') return 'text';
  return type === 'number' || type === 'integer' ? 'number' : 'json';
}

function choicesOf(schema: JsonSchema): readonly Choice[] {
  const { type, enum: values, enumNames, oneOf, anyOf } = schema;
  if (type === 'boolean') return [true, false].map((value) => ({ value, title: value ? 'yes' : 'no' }));
  if (Array.isArray(values)) {
    const titles: readonly unknown[] = Array.isArray(enumNames) ? enumNames : [];
    return values.map((value, at) => ({ value, title: titleOf(titles[at] ?? value) }));
  }
  const titled: readonly unknown[] = [oneOf, anyOf].find(Array.isArray) ?? [];
  const options = titled.map(objectOf);
  if (!options.every((option) => 'const' in option)) return [];
  return options.map((option) => ({
    value: option['const'],
    title: titleOf(option['title'] ?? option['const']),
  }));
}

function titleOf(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}

const schemas = validator();

/** Reads what a person entered. Nothing is missing, every value has its type, and all fit the schema; or `problems` says why not. */
export function readFields(
  schema: JsonSchema,
  fields: readonly Field[],
  entries: Readonly<Record<string, Entry>>,
): Arguments {
  const problems = new Map<string, string>();
  const args: [string, unknown][] = [];
  for (const field of fields) {
    const entry = entries[field.name] ?? '';
    if (entry.length === 0) {
      if (field.required) problems.set(field.name, 'is required');
      continue;
    }
    try {
      args.push([field.name, valueOf(field, entry)]);
    } catch (error) {
      problems.set(field.name, (error as Error).message);
    }
  }
  const value = Object.fromEntries(args);
  if (problems.size === 0) {
    for (const { path, message } of issuesOf(schema, value)) {
      const [name = '', ...inner] = path.map(String);
      const place = inner.length === 0 ? '' : `/${inner.join('/')} `;
      if (!problems.has(name)) problems.set(name, `${place}${message}`);
    }
  }
  return problems.size > 0 ? { problems } : { args: value };
}

function valueOf({ kind, choices }: Field, entry: Entry): unknown {
  if (typeof entry !== 'string') {
    const chosen = entry.map((at) => choices[at]?.value);
    return kind === 'choice' ? chosen[0] : chosen;
  }
  if (kind === 'text') return entry;
  if (kind === 'json') return jsonOf(entry);
  const number = Number(entry);
  if (entry.trim() === '' || !Number.isFinite(number)) throw new Error('must be a number');
  return number;
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new Error(`is not valid JSON: ${(cause as Error).message}`, { cause });
  }
}

/** A schema that cannot be used here is checked by the server alone. */
function issuesOf(schema: JsonSchema, value: unknown) {
  try {
    return schemas(schema)['~standard'].validate(value).issues ?? [];
  } catch (error) {
    if (JsonSchemaError.is(error)) return [];
    throw error;
  }
}

function objectOf(value: unknown): JsonSchema {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as JsonSchema) : {};
}
