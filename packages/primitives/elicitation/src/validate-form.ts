import type { SchemaIssue } from '@rxmcp/core';
import { isObject } from '@rxmcp/core/internal';
import type {
  EnumField,
  MultiSelectField,
  FilledForm,
  FormContent,
  FormField,
  FormSchema,
  NumberField,
  StringField,
} from './types.js';

/** Returns the issues of a filled form; empty if it is valid. Messages never contain values. */
export function validateContent(form: FormSchema, content: unknown): readonly SchemaIssue[] {
  if (!isObject(content)) return [{ message: 'must be an object' }];
  const issues: SchemaIssue[] = [];
  for (const name of form.required ?? []) {
    if (!Object.hasOwn(content, name) || content[name] === undefined)
      issues.push({ message: 'is missing', path: [name] });
  }
  for (const [name, field] of Object.entries(form.properties)) {
    const value = Object.hasOwn(content, name) ? content[name] : undefined;
    const message = value === undefined ? undefined : validateField(field, value);
    if (message !== undefined) issues.push({ message, path: [name] });
  }
  return issues;
}

/** The members of the content that are fields of the form; others are omitted. */
export function pickFormContent(form: FormSchema, content: FilledForm): FormContent {
  return Object.fromEntries(
    Object.keys(form.properties).flatMap((name) => {
      const value = Object.hasOwn(content, name) ? content[name] : undefined;
      return value === undefined ? [] : [[name, value]];
    }),
  );
}

/** Returns the problem of one field's value as text for people, or undefined. The text never contains the value. */
export function validateField(field: FormField, value: unknown): string | undefined {
  switch (field.type) {
    case 'boolean':
      return typeof value === 'boolean' ? undefined : 'must be true or false';
    case 'number':
    case 'integer':
      return numberProblem(field, value);
    case 'array':
      return listProblem(field, value);
    case 'string':
      return stringProblem(field, value);
  }
}

function numberProblem({ type, minimum, maximum }: NumberField, value: unknown): string | undefined {
  if (typeof value !== 'number' || !Number.isFinite(value)) return 'must be a number';
  if (type === 'integer' && !Number.isInteger(value)) return 'must be a whole number';
  if (minimum !== undefined && value < minimum) return `must be at least ${minimum}`;
  if (maximum !== undefined && value > maximum) return `must be at most ${maximum}`;
  return undefined;
}

function stringProblem(field: StringField | EnumField, value: unknown): string | undefined {
  if (typeof value !== 'string') return 'must be a string';
  const choices = fieldChoices(field);
  if (choices !== undefined)
    return choices.some((one) => one.value === value) ? undefined : 'must be one of the choices';
  const { minLength = 0, maxLength = Infinity, format } = field as StringField;
  // JSON Schema counts characters, not UTF-16 units.
  const length = value.length > 2 * maxLength ? value.length : charactersOf(value);
  if (length < minLength) return `must have at least ${minLength} characters`;
  if (length > maxLength) return `must have at most ${maxLength} characters`;
  return format === undefined ? undefined : validateFormat(format, value);
}

/** Counts characters, and makes no list of them: a value may have a million. */
function charactersOf(text: string): number {
  let count = 0;
  for (let at = 0; at < text.length; count += 1) at += (text.codePointAt(at) as number) > 0xffff ? 2 : 1;
  return count;
}

function listProblem(field: MultiSelectField, value: unknown): string | undefined {
  if (!Array.isArray(value)) return 'must be a list';
  if (value.length < (field.minItems ?? 0)) return `must hold at least ${field.minItems}`;
  if (value.length > (field.maxItems ?? Infinity)) return `must hold at most ${field.maxItems}`;
  const choices = new Set<unknown>(fieldChoices(field)?.map((one) => one.value));
  return value.every((given) => choices.has(given)) ? undefined : 'must hold nothing but the choices';
}

/** A string that a field allows. */
export interface Choice {
  readonly value: string;
  /** The title for people. @default the value */
  readonly title: string;
}

/**
 * Returns the allowed strings of an enum field in any form: `enum`, `enumNames`, `oneOf`, or `items` of a list.
 * Undefined for any other field.
 */
export function fieldChoices(field: FormField): readonly Choice[] | undefined {
  if (field.type === 'array') {
    return 'anyOf' in field.items ? field.items.anyOf.map(titled) : field.items.enum.map(untitled);
  }
  if (field.type !== 'string') return undefined;
  const { oneOf, enum: values, enumNames = [] } = field as EnumField;
  return oneOf?.map(titled) ?? values?.map((value, at) => ({ value, title: enumNames[at] ?? value }));
}

function titled(one: { readonly const: string; readonly title: string }): Choice {
  return { value: one.const, title: one.title };
}

function untitled(value: string): Choice {
  return { value, title: value };
}

type Format = NonNullable<StringField['format']>;

/** Returns why a text does not have a format, or undefined. All checks take linear time. */
export function validateFormat(format: Format, value: string): string | undefined {
  switch (format) {
    case 'email':
      return value.length <= 254 && /^[^\s@]+@[^\s@]+$/u.test(value)
        ? undefined
        : 'must be an e-mail address';
    case 'uri':
      return /^[a-z][a-z0-9+.-]*:/i.test(value) && URL.canParse(value) ? undefined : 'must be a uri';
    case 'date':
      return isDate(value) ? undefined : 'must be a date such as 2026-07-28';
    case 'date-time':
      return isDateTime(value) ? undefined : 'must be a time such as 2026-07-28T12:00:00Z';
  }
}

function isDate(value: string): boolean {
  const [, year, month, day] = /^(\d{4})-(\d{2})-(\d{2})$/.exec(value) ?? [];
  const date = new Date(0);
  // setUTCFullYear keeps years below 100, and changes dates that do not exist. Without a match all is NaN, which equals nothing.
  date.setUTCFullYear(Number(year), Number(month) - 1, Number(day));
  return date.getUTCMonth() === Number(month) - 1 && date.getUTCDate() === Number(day);
}

function isDateTime(value: string): boolean {
  const [, date, hour, minute, second] =
    /^(\d{4}-\d{2}-\d{2})T(\d{2}):(\d{2}):(\d{2})(?:\.\d+)?(?:Z|[+-](?:[01]\d|2[0-3]):[0-5]\d)$/i.exec(
      value,
    ) ?? [];
  if (date === undefined || !isDate(date)) return false;
  // A leap second is a time as well (RFC 3339).
  return Number(hour) <= 23 && Number(minute) <= 59 && Number(second) <= 60;
}
