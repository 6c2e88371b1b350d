import type {
  ElicitationHandler,
  ElicitRequest,
  ElicitResult,
  FieldValue,
  FilledForm,
  FormField,
  FormSchema,
} from 'rxmcp/elicitation';
import { quoted } from '../printable.js';
import type { Terminal } from '../terminal.js';
import { labelOf, nothing, readField } from './field.js';
import { nameOf, warned } from './server-name.js';

/** Shows a server's forms at the terminal; declines them if no user is present. */
export function terminalForms(terminal: Terminal): ElicitationHandler {
  return (request, ctx) => {
    if (terminal.asks) return terminal.talk(() => filled(terminal, request, nameOf(ctx), ctx.signal));
    terminal.tell(
      `declined a form of the server, since no user is present to fill it in: ${request.message}`,
    );
    return { action: 'decline' };
  };
}

const tries = 5;

async function filled(
  terminal: Terminal,
  { message, requestedSchema, warnings }: ElicitRequest,
  server: string,
  signal: AbortSignal,
): Promise<ElicitResult<FilledForm>> {
  terminal.say(`--- ${server} asks you:\n${quoted(message)}`);
  warned(terminal, warnings);
  let question = 'fill in [f], decline [d] or cancel [c]? ';
  let content: FilledForm | undefined;
  for (let left = tries; left > 0; left -= 1) {
    const answer = await terminal.ask(question, signal);
    const word = answer?.trim().toLowerCase();
    if (word === 'd' || word === 'decline') return { action: 'decline' };
    if (content !== undefined && (word === 's' || word === 'send')) return { action: 'accept', content };
    if (word === undefined || word === 'c' || word === 'cancel') return { action: 'cancel' };
    if (word !== 'f' && word !== 'fill in') {
      terminal.say('Please answer with one of the letters.');
      continue;
    }
    content = await asked(terminal, requestedSchema, signal);
    if (content === undefined) return { action: 'cancel' };
    terminal.say(`--- ${server} would get: ${JSON.stringify(shownOf(requestedSchema, content))}`);
    question = 'send [s], fill in again [f], decline [d] or cancel [c]? ';
  }
  return { action: 'cancel' };
}

async function asked(
  terminal: Terminal,
  { properties, required = [] }: FormSchema,
  signal: AbortSignal,
): Promise<FilledForm | undefined> {
  const content: [string, FieldValue | undefined][] = [];
  for (const [name, field] of Object.entries(properties)) {
    const value = await askedField(terminal, name, field, required.includes(name), signal);
    if (value === 'unanswered') return undefined;
    if (value !== 'default') content.push([name, value.value]);
  }
  return Object.fromEntries(content);
}

/** Asks for one field until it is valid; `unanswered` at the end of input and after five answers. */
export async function askedField(
  terminal: Terminal,
  name: string,
  field: FormField,
  required: boolean,
  signal: AbortSignal,
): Promise<{ readonly value: FieldValue | undefined } | 'default' | 'unanswered'> {
  for (let left = tries; left > 0; left -= 1) {
    const text = await terminal.line(`${labelOf(name, field, required)}: `, signal);
    if (text === undefined) return 'unanswered';
    if (text === '') {
      if (field.default !== undefined || !required) return 'default';
      terminal.say('This field is required.');
      continue;
    }
    const isEmptied = text.trim() === nothing && field.type !== 'array' && field.default !== undefined;
    if (isEmptied && !required) return { value: undefined };
    const read = readField(field, text);
    if ('value' in read) return read;
    terminal.say(read.problem);
  }
  return 'unanswered';
}

// The sent content has the defaults of skipped fields.
function shownOf({ properties }: FormSchema, content: FilledForm): object {
  return Object.fromEntries(
    Object.entries(properties).map(([name, field]) => [
      name,
      Object.hasOwn(content, name) ? content[name] : field.default,
    ]),
  );
}
