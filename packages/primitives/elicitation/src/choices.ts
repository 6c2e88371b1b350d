import type { ChoiceField, FormField } from './types.js';

/** A string that a field allows. */
export interface Choice {
  readonly value: string;
  /** For people; the value itself where the server gave no other. */
  readonly title: string;
}

/**
 * The strings to choose from, whichever of its forms a server used: `enum`, `enumNames`, `oneOf`, or `items` of a list.
 * Undefined for a field that is no choice.
 */
export function choicesOf(field: FormField): readonly Choice[] | undefined {
  if (field.type === 'array') {
    return 'anyOf' in field.items ? field.items.anyOf.map(titled) : field.items.enum.map(untitled);
  }
  if (field.type !== 'string') return undefined;
  const { oneOf, enum: values, enumNames = [] } = field as ChoiceField;
  return oneOf?.map(titled) ?? values?.map((value, at) => ({ value, title: enumNames[at] ?? value }));
}

function titled(one: { readonly const: string; readonly title: string }): Choice {
  return { value: one.const, title: one.title };
}

function untitled(value: string): Choice {
  return { value, title: value };
}
