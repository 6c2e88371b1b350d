import type { JsonObject } from '@rxmcp/core';
import { isObject } from '@rxmcp/core/internal';
import type { FormField, FormSchema } from './types.js';

/**
 * Reads a JSON Schema as a flat form. Keeps the keywords that forms support and ignores the others.
 * @throws TypeError that names the field if one is nested, or is not a string, number, boolean or enum
 */
export function flatSchema(schema: unknown): FormSchema {
  if (!isObject(schema) || schema.type !== 'object' || !isObject(schema.properties)) {
    throw new TypeError('a form must be a schema of type "object" with "properties"');
  }
  const names = new Set(Object.keys(schema.properties));
  const { required = [] } = schema;
  if (!isStrings(required)) throw new TypeError('"required" of a form must be an array of names');
  const unknown = required.find((name) => !names.has(name));
  if (unknown !== undefined) throw new TypeError(`the form requires "${unknown}", which it does not have`);
  const fields = Object.entries(schema.properties).map(
    ([name, field]) => [name, flatField(name, field)] as const,
  );
  return {
    type: 'object',
    properties: Object.fromEntries(fields),
    ...(required.length === 0 ? {} : { required }),
  };
}

function flatField(name: string, raw: unknown): FormField {
  if (!isObject(raw)) throw noField(name, 'must be an object');
  const field = unionOf(raw);
  switch (field.type) {
    case 'string':
      return isChoice(field)
        ? kept(name, choice(name, field), [...shown, 'enum', 'enumNames', 'oneOf'])
        : kept(name, withKnownFormat(field), [...shown, 'minLength', 'maxLength', 'format']);
    case 'number':
    case 'integer':
      return kept(name, field, [...shown, 'minimum', 'maximum']);
    case 'boolean':
      return kept(name, field, shown);
    case 'array':
      return kept(name, { ...field, items: choiceItems(name, field.items) }, [
        ...shown,
        'minItems',
        'maxItems',
        'items',
      ]);
    default:
      throw noField(name, `is of type ${JSON.stringify(field.type)}`);
  }
}

const shown = ['type', 'title', 'description', 'default'];
const formats = new Set<unknown>(['email', 'uri', 'date', 'date-time']);

const kinds: Readonly<Record<string, (value: unknown) => boolean>> = {
  title: isString,
  description: isString,
  minLength: isCount,
  maxLength: isCount,
  minItems: isCount,
  maxItems: isCount,
  minimum: Number.isFinite,
  maximum: Number.isFinite,
};

function kept(name: string, field: JsonObject, keywords: readonly string[]): FormField {
  const flat: JsonObject = {};
  for (const keyword of keywords) {
    if (field[keyword] === undefined) continue;
    if (kinds[keyword]?.(field[keyword]) === false) throw noField(name, `has a wrong "${keyword}"`);
    flat[keyword] = field[keyword];
  }
  return flat as unknown as FormField;
}

/** Libraries convert a union of literals to `anyOf` constants: this makes an enum with titles of them. */
function unionOf(field: JsonObject): JsonObject {
  const { anyOf, oneOf = anyOf, ...rest } = field;
  if (field.type !== undefined || !Array.isArray(oneOf) || oneOf.length === 0) return field;
  if (!oneOf.every((one) => isObject(one) && isString(one.const))) return field;
  const titled = oneOf.map(({ const: value, title = value }: JsonObject) => ({ const: value, title }));
  return { ...rest, type: 'string', oneOf: titled };
}

function isChoice(field: JsonObject): boolean {
  return field.enum !== undefined || field.oneOf !== undefined || field.const !== undefined;
}

function choice(name: string, field: JsonObject): JsonObject {
  if (field.const !== undefined) return choice(name, { ...field, const: undefined, enum: [field.const] });
  const { oneOf, enum: values } = field;
  if ((oneOf !== undefined && !isTitled(oneOf)) || (values !== undefined && !isStrings(values))) {
    throw noField(name, 'has choices that are no strings');
  }
  if (field.enumNames !== undefined && !isStrings(field.enumNames)) {
    throw noField(name, 'has "enumNames" that are no strings');
  }
  return field;
}

function choiceItems(name: string, items: unknown): JsonObject {
  if (isObject(items) && items.type === 'string' && isStrings(items.enum))
    return { type: 'string', enum: items.enum };
  if (isObject(items) && isTitled(items.anyOf)) return { anyOf: items.anyOf };
  throw noField(name, 'is a list of something else than given strings');
}

function withKnownFormat(field: JsonObject): JsonObject {
  return formats.has(field.format) ? field : { ...field, format: undefined };
}

function noField(name: string, why: string): TypeError {
  return new TypeError(
    `the field "${name}" of the form ${why}: forms are flat, of text, numbers, yes or no, and choices`,
  );
}

function isTitled(value: unknown): boolean {
  return (
    Array.isArray(value) && value.every((one) => isObject(one) && isString(one.const) && isString(one.title))
  );
}

function isStrings(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every(isString);
}

function isString(value: unknown): value is string {
  return typeof value === 'string';
}

function isCount(value: unknown): boolean {
  return Number.isInteger(value) && (value as number) >= 0;
}
