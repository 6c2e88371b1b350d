import type {
  ElicitationHandler,
  ElicitRequest,
  ElicitResult,
  FieldValue,
  FormField,
} from 'rxmcp/elicitation';
import type { Terminal } from '../terminal.js';
import { choicesOf, readField } from './field.js';

/** Shows a server's forms at the terminal; declines them where nobody is there. */
export function terminalForms(terminal: Terminal): ElicitationHandler {
  return (request, ctx) => {
    if (terminal.asks) return terminal.talk(() => filled(terminal, request, ctx.signal));
    terminal.tell(`declined a form of the server, since nobody is there to fill it in: ${request.message}`);
    return { action: 'decline' };
  };
}

const tries = 5;

async function filled(
  terminal: Terminal,
  request: ElicitRequest,
  signal: AbortSignal,
): Promise<ElicitResult> {
  terminal.say(`--- The server asks you: ${request.message}`);
  const answer = await terminal.ask('fill in [f], decline [d] or cancel [c]? ', signal);
  const word = answer?.trim().toLowerCase();
  if (word === 'd' || word === 'decline') return { action: 'decline' };
  if (word !== 'f' && word !== 'fill in') return { action: 'cancel' };
  const { properties, required = [] } = request.requestedSchema;
  const content: Record<string, FieldValue> = Object.create(null) as Record<string, FieldValue>;
  for (const [name, field] of Object.entries(properties)) {
    const value = await asked(terminal, name, field, required.includes(name), signal);
    if (value === 'nobody') return { action: 'cancel' };
    if (value !== undefined) content[name] = value.value;
  }
  return { action: 'accept', content: { ...content } };
}

async function asked(
  terminal: Terminal,
  name: string,
  field: FormField,
  required: boolean,
  signal: AbortSignal,
): Promise<{ readonly value: FieldValue } | undefined | 'nobody'> {
  for (let left = tries; left > 0; left -= 1) {
    const text = await terminal.ask(`${label(name, field, required)}: `, signal);
    if (text === undefined) return 'nobody';
    if (text === '') {
      if (field.default !== undefined) return { value: field.default };
      if (!required) return undefined;
      terminal.say('This one is needed.');
      continue;
    }
    const read = readField(field, text);
    if ('value' in read) return read;
    terminal.say(read.problem);
  }
  return 'nobody';
}

function label(name: string, field: FormField, required: boolean): string {
  const { title = name, description } = field;
  const choices = choicesOf(field)?.map(({ value, shown }) =>
    value === shown ? value : `${value} (${shown})`,
  );
  const notes = [
    field.type === 'array' ? 'several, with commas' : field.type === 'string' ? '' : field.type,
    description ?? '',
    choices === undefined ? '' : choices.join(' | '),
    field.default === undefined ? '' : `default ${JSON.stringify(field.default)}`,
    required ? '' : 'may stay empty',
  ].filter((note) => note !== '');
  return notes.length === 0 ? title : `${title} (${notes.join('; ')})`;
}
