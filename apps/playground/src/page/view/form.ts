import { el } from './dom.js';
import { type Entry, type Field, readFields } from '../state/fields.js';
import type { JsonSchema } from 'rxmcp/tools';

type Input = HTMLTextAreaElement | HTMLSelectElement;

/** The inputs of a form. */
export interface Form {
  readonly nodes: readonly HTMLElement[];
  /** Returns the arguments; otherwise undefined, and says at each field what is wrong. */
  read(): Readonly<Record<string, unknown>> | undefined;
  /** Returns the texts that are entered, by field. */
  texts(): Readonly<Record<string, string>>;
  /** Shows values for a field, which a person may pick. */
  suggest(name: string, values: readonly string[]): void;
}

let forms = 0;

/** Makes the inputs for the fields of a schema. */
export function formOf(schema: JsonSchema, fields: readonly Field[]): Form {
  forms += 1;
  const id = `form-${forms}`;
  const rows = fields.map((field, at) => rowOf(field, `${id}-${at}`));
  const whole = el('p', { class: 'problem', role: 'alert' });
  return {
    nodes: [...rows.map(({ node }) => node), whole],
    read() {
      const entries = rows.map(({ field, input }) => [field.name, entryOf(input)] as const);
      const result = readFields(schema, fields, Object.fromEntries(entries));
      const problems = 'problems' in result ? result.problems : new Map<string, string>();
      for (const { field, input, problem } of rows) {
        const text = problems.get(field.name);
        problem.replaceChildren(...(text === undefined ? [] : [el('span', {}, `${field.title}: ${text}`)]));
        input.setAttribute('aria-invalid', String(text !== undefined));
      }
      whole.replaceChildren(
        ...[...problems]
          .filter(([name]) => !fields.some((field) => field.name === name))
          .map(([name, text]) => el('span', {}, `${name} ${text}`)),
      );
      rows.find(({ field }) => problems.has(field.name))?.input.focus();
      return 'args' in result ? result.args : undefined;
    },
    texts: () =>
      Object.fromEntries(
        rows.flatMap(({ field, input }) => (input.value === '' ? [] : [[field.name, input.value]])),
      ),
    suggest(name, values) {
      const row = rows.find(({ field }) => field.name === name);
      row?.suggestions.replaceChildren(
        ...values
          .slice(0, 20)
          .map((value) =>
            el('li', {}, el('button', { type: 'button', click: () => picked(row, value) }, value)),
          ),
      );
    },
  };
}

interface Row {
  readonly field: Field;
  readonly node: HTMLElement;
  readonly input: Input;
  readonly problem: HTMLElement;
  readonly suggestions: HTMLElement;
}

function picked({ input, suggestions }: Row, value: string): void {
  input.value = value;
  suggestions.replaceChildren();
  input.focus();
}

function rowOf(field: Field, id: string): Row {
  const { title, description, required, kind } = field;
  const input = inputOf(field, id);
  input.name = field.name;
  const note = [required ? 'required' : '', kind === 'json' ? 'JSON' : kind === 'number' ? 'number' : ''];
  const problem = el('p', { id: `${id}-problem`, class: 'problem', role: 'alert' });
  const suggestions = el('ul', { class: 'suggestions', 'aria-label': `Suggestions for ${title}` });
  const node = el(
    'div',
    { class: 'field' },
    el('label', { for: id }, title),
    el('span', { class: 'note' }, ` ${note.filter((text) => text !== '').join(', ')}`),
    el('p', { id: `${id}-about`, class: 'about' }, description),
    input,
    problem,
    suggestions,
  );
  return { field, node, input, problem, suggestions };
}

function inputOf({ kind, choices, required, default: initial }: Field, id: string): Input {
  const props = { id, 'aria-required': String(required), 'aria-describedby': `${id}-about ${id}-problem` };
  if (kind !== 'choice' && kind !== 'choices') {
    const input = el('textarea', { ...props, rows: '1', spellcheck: 'false' });
    if (initial !== undefined) input.value = typeof initial === 'string' ? initial : JSON.stringify(initial);
    return input;
  }
  const chosen = new Set((kind === 'choices' && Array.isArray(initial) ? initial : [initial]).map(keyOf));
  const options = choices.map(({ value, title }, at) =>
    el('option', { value: String(at), selected: chosen.has(keyOf(value)) }, title),
  );
  if (kind === 'choices')
    return el('select', { ...props, multiple: true, size: String(Math.min(choices.length, 6)) }, ...options);
  return el('select', props, el('option', { value: '' }, '–'), ...options);
}

function keyOf(value: unknown): string {
  return JSON.stringify(value) ?? '';
}

function entryOf(input: Input): Entry {
  if (input instanceof HTMLTextAreaElement) return input.value;
  return [...input.selectedOptions].flatMap(({ value }) => (value === '' ? [] : [Number(value)]));
}
