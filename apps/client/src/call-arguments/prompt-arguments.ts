import { type Remote, once } from 'rxmcp';
import { completion } from 'rxmcp/completion';
import { type PromptInfo, prompts } from 'rxmcp/prompts';
import type { Program } from '../command.js';
import { inline } from '../printable.js';
import { unknownNames, unlisted } from './names.js';
import { UsageError } from '@rxmcp/app-serving/usage-error';

type Asking = Pick<Program, 'terminal' | 'signal'>;
type Strings = Readonly<Record<string, string>>;

/**
 * Checks the names of the arguments of a prompt, and asks a person for required ones that are missing, with suggestions of the server. Rejects with a
 * UsageError.
 */
export async function promptArguments(
  remote: Remote,
  name: string,
  given: Strings,
  asking: Asking,
): Promise<Strings> {
  const list = await once(prompts(remote).list(), { signal: asking.signal });
  const info = list.find((one) => one.name === name);
  // The server answers that there is no such prompt.
  if (info === undefined) return given;
  const { terminal } = asking;
  const doubt = unlistedOf(info, given);
  if (doubt !== '') terminal.tell(doubt);
  return terminal.isInteractive ? withMissing(remote, info, given, asking) : given;
}

/** Describes arguments that a prompt does not list; empty where it has all of them. Throws a UsageError for a misspelled one. */
export function unlistedOf(info: PromptInfo, given: Strings): string {
  const names = (info.arguments ?? []).map(({ name }) => name);
  return unlisted(info.name, unknownNames(info.name, Object.keys(given), names), names);
}

/** The required arguments of a prompt that are missing. */
export function missingOf(info: PromptInfo, given: Strings): readonly string[] {
  const required = (info.arguments ?? []).filter((one) => one.required === true);
  return required.map(({ name }) => name).filter((name) => !Object.hasOwn(given, name));
}

/** Asks for what {@link missingOf} returns. Rejects with a UsageError. */
export async function withMissing(
  remote: Remote,
  info: PromptInfo,
  given: Strings,
  { terminal, signal }: Asking,
): Promise<Strings> {
  const args = { ...given };
  for (const name of missingOf(info, given)) {
    const { description = '' } = info.arguments?.find((one) => one.name === name) ?? {};
    const hints = await suggested(remote, info.name, name, args, signal);
    const shown = inline(`${name}${description === '' ? '' : ` (${description})`}${hints}`);
    const value = await terminal.line(`${shown}: `, signal);
    if (value === undefined) throw new UsageError(`the argument "${name}" is required`);
    args[name] = value;
  }
  return args;
}

async function suggested(
  remote: Remote,
  prompt: string,
  argument: string,
  known: Strings,
  signal: AbortSignal,
): Promise<string> {
  if (!('completions' in remote.capabilities)) return '';
  const asked = completion(remote).prompt(prompt, argument, '', { arguments: known });
  const { values } = await once(asked, { signal }).catch(() => ({ values: [] as string[] }));
  return values.length === 0 ? '' : ` such as ${values.slice(0, 5).join(', ')}`;
}
