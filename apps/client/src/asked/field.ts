import type { FieldValue, FormField } from 'rxmcp/elicitation';

/** A value that a field allows. */
export interface Choice {
  readonly value: string;
  readonly shown: string;
}

/** The values to choose from; undefined for a field that is open. */
export function choicesOf(field: FormField): readonly Choice[] | undefined {
  if (field.type === 'array') {
    const { items } = field;
    return 'anyOf' in items ? items.anyOf.map(titled) : items.enum.map(plain);
  }
  if (field.type !== 'string') return undefined;
  if ('oneOf' in field && field.oneOf !== undefined) return field.oneOf.map(titled);
  if (!('enum' in field) || field.enum === undefined) return undefined;
  const { enumNames = [] } = field;
  return field.enum.map((value, at) => ({ value, shown: enumNames[at] ?? value }));
}

/** Makes a field's value of what was typed, or says what is wrong with it. */
export function readField(
  field: FormField,
  text: string,
): { readonly value: FieldValue } | { readonly problem: string } {
  const choices = choicesOf(field);
  switch (field.type) {
    case 'boolean':
      return yesNo(text.trim().toLowerCase());
    case 'number':
    case 'integer':
      return numeric(field, text.trim());
    case 'array': {
      const values = text.split(',').map((part) => part.trim());
      const wrong = values.find((value) => choices?.every((choice) => choice.value !== value) ?? false);
      if (wrong !== undefined) return { problem: `"${wrong}" is none of the choices.` };
      const { minItems = 0, maxItems = Infinity } = field;
      return values.length < minItems || values.length > maxItems
        ? { problem: `Choose ${minItems} to ${maxItems} of them.` }
        : { value: values };
    }
    case 'string':
      if (choices !== undefined) {
        return choices.some(({ value }) => value === text)
          ? { value: text }
          : { problem: 'Choose one of them.' };
      }
      return sized(field, text);
  }
}

function yesNo(word: string): { readonly value: boolean } | { readonly problem: string } {
  if (['y', 'yes', 'true'].includes(word)) return { value: true };
  if (['n', 'no', 'false'].includes(word)) return { value: false };
  return { problem: 'Please answer yes or no.' };
}

function numeric(
  field: FormField & { readonly type: 'number' | 'integer' },
  text: string,
): { readonly value: number } | { readonly problem: string } {
  const value = text === '' ? NaN : Number(text);
  if (!Number.isFinite(value)) return { problem: 'That is no number.' };
  if (field.type === 'integer' && !Number.isInteger(value)) return { problem: 'That is no whole number.' };
  const { minimum = -Infinity, maximum = Infinity } = field;
  if (value < minimum) return { problem: `At least ${minimum}.` };
  return value > maximum ? { problem: `At most ${maximum}.` } : { value };
}

function sized(
  field: FormField & { readonly type: 'string' },
  text: string,
): { readonly value: string } | { readonly problem: string } {
  const { minLength = 0, maxLength = Infinity } = field as { minLength?: number; maxLength?: number };
  const length = [...text].length;
  if (length < minLength) return { problem: `At least ${minLength} characters.` };
  return length > maxLength ? { problem: `At most ${maxLength} characters.` } : { value: text };
}

function titled({ const: value, title }: { readonly const: string; readonly title: string }): Choice {
  return { value, shown: title };
}

function plain(value: string): Choice {
  return { value, shown: value };
}
