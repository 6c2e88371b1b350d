import type { Context, JsonObject, Output } from '@rxmcp/core';
import { McpError } from '@rxmcp/core';
import {
  blockProblem,
  isObject,
  isThenable,
  later,
  mapOutput,
  problems,
  quoted,
  refuseAnnotations,
  requireOf,
  resultOf,
} from '@rxmcp/core/internal';
import type { Prompt, PromptParts, PromptValue } from './prompt.js';
import { partsOf } from './prompt.js';
import type { PromptMessage, PromptResult } from './types.js';
import { isMessage, user } from './types.js';

/** Answers one request for a prompt: checks the arguments, runs the handler, makes messages of what it gives. */
export function fillPrompt(prompt: Prompt, args: JsonObject, ctx: Context): Output<PromptResult> {
  const parts = partsOf(prompt);
  if (parts.needs !== undefined) requireOf(ctx, parts.needs);
  strings(prompt, parts, args);
  const run = (values: unknown): Output<PromptResult> => {
    return mapOutput(parts.handler(values, ctx), (value) => promptResultOf(prompt, parts, value));
  };
  const outcome = parts.check?.(args);
  if (outcome === undefined) return run(parts.defaults === undefined ? args : { ...parts.defaults, ...args });
  if (isThenable(outcome)) return later(outcome, (settled) => run(valid(prompt, settled)));
  return run(valid(prompt, outcome));
}

function strings({ name }: Prompt, { required }: PromptParts, args: JsonObject): void {
  const missing = required.filter((argument) => !Object.hasOwn(args, argument));
  if (missing.length > 0) {
    throw new McpError(
      'PARAMS_INVALID',
      `prompt "${name}" misses the arguments ${missing.map(quoted).join(', ')}`,
    );
  }
  const wrong = Object.keys(args).filter((argument) => typeof args[argument] !== 'string');
  if (wrong.length > 0) {
    const named = wrong.slice(0, 10).map(quoted).join(', ');
    throw new McpError('PARAMS_INVALID', `prompt "${name}": these arguments must be strings: ${named}`);
  }
}

type Outcome = Awaited<ReturnType<NonNullable<PromptParts['check']>>>;

function valid({ name }: Prompt, outcome: Outcome): unknown {
  if (outcome.issues === undefined) return outcome.value;
  throw new McpError('PARAMS_INVALID', `invalid arguments for prompt "${name}": ${problems(outcome.issues)}`);
}

function promptResultOf(
  { name }: Prompt,
  { templateVersion: version }: PromptParts,
  value: PromptValue | undefined | null,
): PromptResult {
  if (value === undefined || value === null) {
    throw new McpError('HANDLER_EMPTY', `prompt "${name}" ended without a result`);
  }
  const result = wholeOf(name, value);
  return version === undefined ? result : { ...result, _meta: { ...result._meta, version } };
}

function wholeOf(name: string, value: unknown): PromptResult {
  if (typeof value === 'string') return { messages: [user(value)] };
  const whole = isMessage(value) ? { messages: [value] } : Array.isArray(value) ? { messages: value } : value;
  if (!isObject(whole) || !Array.isArray(whole['messages']))
    throw new TypeError(`prompt "${name}" gave neither messages nor a text`);
  const { messages, description, _meta } = whole;
  for (const [at, message] of messages.entries()) {
    const where = `prompt "${name}" gave "messages[${at}]"`;
    if (!isMessage(message)) throw new TypeError(`${where}, which is no message`);
    const problem = blockProblem(message.content);
    if (problem !== undefined) throw new TypeError(`${where}, whose content ${problem}`);
    refuseAnnotations(where, message.content.annotations);
  }
  if (description !== undefined && typeof description !== 'string')
    throw new TypeError(`prompt "${name}" gave a "description" that is no text`);
  if (_meta !== undefined && !isObject(_meta))
    throw new TypeError(`prompt "${name}" gave a "_meta" that is no object`);
  return whole as unknown as PromptResult;
}

/** Most prompts that one request may include: two that include each other would go on for ever. */
const maxIncluded = 100;

const counts = new WeakMap<Context, number>();

/**
 * The messages of another prompt, to build a prompt from. It is filled in as for a client: its arguments are checked, what it
 * `needs` is asked of the caller, its progress is told. Rejects with PARAMS_INVALID for arguments that it does not take, with
 * HANDLER_EMPTY where it gives nothing, and with a RangeError after 100 in one request.
 */
export async function include(
  prompt: Prompt,
  args: Readonly<Record<string, string>>,
  ctx: Context,
): Promise<readonly PromptMessage[]> {
  const count = (counts.get(ctx) ?? 0) + 1;
  counts.set(ctx, count);
  const name = quoted(prompt.name);
  if (count > maxIncluded)
    throw new RangeError(`prompt ${name} is one too many: ${maxIncluded} may be included in one request`);
  const output = fillPrompt(prompt, args as JsonObject, ctx);
  const { messages } = await resultOf(output, ctx, `prompt ${name} ended without a result`);
  return messages;
}
