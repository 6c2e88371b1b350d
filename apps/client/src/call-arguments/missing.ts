import type { JsonObject } from 'rxmcp';
import type { FormField } from 'rxmcp/elicitation';
import { askedField } from '../asked/form.js';
import type { Program } from '../command.js';
import { inline, quoted } from '../printable.js';
import { UsageError } from '@rxmcp/app-serving/usage-error';

/**
 * Asks the person for the required arguments that are missing. Without a person nothing is asked. Rejects with a UsageError if there is no
 * answer.
 */
export async function withMissing(
  tool: string,
  args: JsonObject,
  schema: JsonObject,
  { terminal, signal }: Pick<Program, 'terminal' | 'signal'>,
): Promise<JsonObject> {
  const { properties = {}, required } = schema as { properties?: JsonObject; required?: unknown };
  const names = Array.isArray(required) ? required.filter((name) => typeof name === 'string') : [];
  const missing = names.filter((name) => !Object.hasOwn(args, name));
  if (missing.length === 0 || !terminal.isInteractive) return args;
  return terminal.talk(async () => {
    terminal.say(
      `--- ${inline(JSON.stringify(tool))} needs ${missing.length === 1 ? 'an argument' : 'arguments'}:`,
    );
    const added: Record<string, unknown> = {};
    for (const name of missing) {
      const property = (properties[name] ?? {}) as JsonObject;
      const { description } = property;
      if (typeof description === 'string') terminal.say(quoted(description));
      const value = isField(property)
        ? await field(name, property, terminal, signal)
        : await json(name, property, terminal, signal);
      Object.defineProperty(added, name, { value, enumerable: true });
    }
    return { ...args, ...added };
  });
}

const unanswered = (name: string): UsageError => new UsageError(`the argument "${name}" is required`);

type Asking = [terminal: Program['terminal'], signal: AbortSignal];

async function field(name: string, property: JsonObject, ...[terminal, signal]: Asking): Promise<unknown> {
  const { description: _shown, default: _default, ...rest } = property;
  const answer = await askedField(terminal, name, rest as unknown as FormField, true, signal);
  if (answer === 'unanswered' || answer === 'default') throw unanswered(name);
  return answer.value;
}

async function json(name: string, { type }: JsonObject, ...[terminal, signal]: Asking): Promise<unknown> {
  const kind = typeof type === 'string' ? `${type} as JSON` : 'JSON';
  for (let left = tries; left > 0; left -= 1) {
    const text = await terminal.line(inline(`${name} (${kind}): `).concat(' '), signal);
    if (text === undefined) break;
    try {
      return JSON.parse(text);
    } catch (error) {
      terminal.say(`It is not valid JSON: ${(error as Error).message}`);
    }
  }
  throw unanswered(name);
}

const tries = 5;
const scalars: ReadonlySet<unknown> = new Set(['string', 'number', 'integer', 'boolean']);

/** Whether a form can ask for it: one value of a simple type. */
function isField(property: JsonObject): boolean {
  const { type, enum: choices } = property;
  const isChoice =
    choices === undefined || (Array.isArray(choices) && choices.every((one) => typeof one === 'string'));
  return scalars.has(type) && isChoice;
}
