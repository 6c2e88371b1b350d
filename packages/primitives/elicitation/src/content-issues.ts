import type { SchemaIssue } from '@rxmcp/core';
import { isObject } from '@rxmcp/core/internal';
import { choicesOf } from './choices.js';
import { formatProblem } from './formats.js';
import type {
  ChoiceField,
  ChoicesField,
  FilledForm,
  FormContent,
  FormField,
  FormSchema,
  NumberField,
  StringField,
} from './types.js';

/** What is wrong with a filled form; empty when nothing is. Values never stand in the messages. */
export function contentIssues(form: FormSchema, content: unknown): readonly SchemaIssue[] {
  if (!isObject(content)) return [{ message: 'must be an object' }];
  const issues: SchemaIssue[] = [];
  for (const name of form.required ?? []) {
    if (!Object.hasOwn(content, name) || content[name] === undefined)
      issues.push({ message: 'is missing', path: [name] });
  }
  for (const [name, field] of Object.entries(form.properties)) {
    const value = Object.hasOwn(content, name) ? content[name] : undefined;
    const message = value === undefined ? undefined : fieldProblem(field, value);
    if (message !== undefined) issues.push({ message, path: [name] });
  }
  return issues;
}

/** The fields of a form that a content has; what nobody asked for is left out. */
export function askedContent(form: FormSchema, content: FilledForm): FormContent {
  return Object.fromEntries(
    Object.keys(form.properties).flatMap((name) => {
      const value = Object.hasOwn(content, name) ? content[name] : undefined;
      return value === undefined ? [] : [[name, value]];
    }),
  );
}

/** What is wrong with the value of one field, for people, or undefined. The value never stands in it. */
export function fieldProblem(field: FormField, value: unknown): string | undefined {
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

function stringProblem(field: StringField | ChoiceField, value: unknown): string | undefined {
  if (typeof value !== 'string') return 'must be a string';
  const choices = choicesOf(field);
  if (choices !== undefined)
    return choices.some((one) => one.value === value) ? undefined : 'must be one of the choices';
  const { minLength = 0, maxLength = Infinity, format } = field as StringField;
  // JSON Schema counts characters, not UTF-16 units.
  const length = value.length > 2 * maxLength ? value.length : [...value].length;
  if (length < minLength) return `must have at least ${minLength} characters`;
  if (length > maxLength) return `must have at most ${maxLength} characters`;
  return format === undefined ? undefined : formatProblem(format, value);
}

function listProblem(field: ChoicesField, value: unknown): string | undefined {
  if (!Array.isArray(value)) return 'must be a list';
  if (value.length < (field.minItems ?? 0)) return `must hold at least ${field.minItems}`;
  if (value.length > (field.maxItems ?? Infinity)) return `must hold at most ${field.maxItems}`;
  const choices = new Set<unknown>(choicesOf(field)?.map((one) => one.value));
  return value.every((given) => choices.has(given)) ? undefined : 'must hold nothing but the choices';
}
