import { fieldChoices, validateField, type FieldValue, type FormField } from 'rxmcp/elicitation';
import { inline } from '../printable.js';

/** The input that empties a field with a default, or selects nothing of a list. */
export const nothing = '-';

/** Reads a field's value from the typed text, or returns the problem. */
export function readField(
  field: FormField,
  text: string,
): { readonly value: FieldValue } | { readonly problem: string } {
  const value = valueOf(field, text);
  if (value === undefined) return { problem: 'Please answer yes or no.' };
  const problem = validateField(field, value);
  return problem === undefined ? { value } : { problem: `It ${problem}.` };
}

/** The prompt of a field: its name, its type, and the value of an empty line. */
export function labelOf(name: string, field: FormField, required: boolean): string {
  const { title = name, description } = field;
  const choices = fieldChoices(field)?.map(({ value, title: shown }) =>
    value === shown ? value : `${value} (${shown})`,
  );
  const notes = [
    kindOf(field),
    description ?? '',
    choices === undefined ? '' : choices.join(' | '),
    field.default === undefined ? '' : `default ${JSON.stringify(field.default)}`,
    emptyNote(field, required),
  ].filter((note) => note !== '');
  return inline(notes.length === 0 ? title : `${title} (${notes.join('; ')})`);
}

function valueOf(field: FormField, text: string): FieldValue | undefined {
  const word = text.trim();
  switch (field.type) {
    case 'boolean':
      return yesNo(word.toLowerCase());
    case 'number':
    case 'integer':
      return word === '' ? NaN : Number(word);
    case 'array':
      return [...new Set(chosen(field, word))];
    case 'string':
      return fieldChoices(field) === undefined ? text : one(field, word);
  }
}

// A choice may hold commas itself, and is given by its value or by its title.
function chosen(field: FormField, text: string): readonly string[] {
  if (text === nothing) return [];
  const whole = one(field, text);
  if (fieldChoices(field)?.some(({ value }) => value === whole) === true) return [whole];
  return text.split(',').map((part) => one(field, part.trim()));
}

function one(field: FormField, text: string): string {
  const choices = fieldChoices(field) ?? [];
  const found = choices.find(({ value }) => value === text) ?? choices.find(({ title }) => title === text);
  return found?.value ?? text;
}

function yesNo(word: string): boolean | undefined {
  if (['y', 'yes', 'true'].includes(word)) return true;
  return ['n', 'no', 'false'].includes(word) ? false : undefined;
}

function kindOf(field: FormField): string {
  if (field.type === 'array') return `several, with commas${countOf(field.minItems, field.maxItems)}`;
  if (field.type !== 'string') return field.type === 'boolean' ? 'yes or no' : field.type;
  return 'format' in field && field.format !== undefined ? field.format : '';
}

function countOf(min: number | undefined, max: number | undefined): string {
  if (max !== undefined) return `, ${min ?? 0} to ${max}`;
  return min === undefined || min === 0 ? '' : `, at least ${min}`;
}

function emptyNote(field: FormField, required: boolean): string {
  if (field.type === 'array') return `${nothing} for none`;
  if (required) return '';
  return field.default === undefined ? 'may stay empty' : `${nothing} leaves it empty`;
}
