import type { Context, JsonObject, Output } from '@rxmcp/core';
import { McpError } from '@rxmcp/core';
import { isObject, isThenable, later, mapOutput, problems, quoted, requireOf } from '@rxmcp/core/internal';
import type { Prompt, PromptParts, PromptValue } from './prompt.js';
import { partsOf } from './prompt.js';
import type { PromptResult } from './types.js';
import { isMessage, user } from './types.js';

/** Answers one request for a prompt: checks the arguments, runs the handler, makes messages of what it gives. */
export function fillPrompt(prompt: Prompt, args: JsonObject, ctx: Context): Output<PromptResult> {
  const parts = partsOf(prompt);
  if (parts.needs !== undefined) requireOf(ctx, parts.needs);
  strings(prompt, parts, args);
  const run = (values: unknown): Output<PromptResult> => {
    return mapOutput(parts.handler(values, ctx), (value) => resultOf(prompt, value));
  };
  const outcome = parts.check?.(args);
  if (outcome === undefined) return run(args);
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

function resultOf({ name }: Prompt, value: PromptValue | undefined | null): PromptResult {
  if (value === undefined || value === null) {
    throw new McpError('HANDLER_EMPTY', `prompt "${name}" ended without a result`);
  }
  if (typeof value === 'string') return { messages: [user(value)] };
  if (isMessage(value)) return { messages: [value] };
  if (Array.isArray(value)) {
    if (value.every(isMessage)) return { messages: value };
  } else if (isObject(value) && Array.isArray(value['messages']) && value['messages'].every(isMessage)) {
    return value as PromptResult;
  }
  throw new TypeError(`prompt "${name}" gave neither messages nor a text`);
}
