import { type Context, type JsonObject, type HandlerResult, RxmcpError } from '@rxmcp/core';
import {
  validateContentBlock,
  isObject,
  isThenable,
  deferResult,
  mapHandlerResult,
  formatProblems,
  quoted,
  assertAnnotations,
  requireCapabilities,
  resultPromise,
} from '@rxmcp/core/internal';
import { type Prompt, type PromptParts, type PromptReturnValue, partsOf } from './prompt.js';
import { type PromptMessage, type PromptResult, isMessage, user } from './types.js';

/** Answers one request for a prompt: checks the arguments, runs the handler, makes messages of what it gives. */
export function fillPrompt(prompt: Prompt, args: JsonObject, ctx: Context): HandlerResult<PromptResult> {
  const parts = partsOf(prompt);
  if (parts.needs !== undefined) requireCapabilities(ctx, parts.needs);
  strings(prompt, parts, args);
  const run = (values: unknown): HandlerResult<PromptResult> =>
    mapHandlerResult(parts.handler(values, ctx), (value) => promptResultOf(prompt, parts, value));
  const outcome = parts.check?.(args);
  if (outcome === undefined) return run(parts.defaults === undefined ? args : { ...parts.defaults, ...args });
  if (isThenable(outcome)) return deferResult(outcome, (settled) => run(valid(prompt, settled)));
  return run(valid(prompt, outcome));
}

function strings({ name }: Prompt, { required }: PromptParts, args: JsonObject): void {
  const missing = required.filter((argument) => !Object.hasOwn(args, argument));
  if (missing.length > 0) {
    throw new RxmcpError(
      'INVALID_PARAMS',
      `prompt "${name}" misses the arguments ${missing.map(quoted).join(', ')}`,
    );
  }
  const wrong = Object.keys(args).filter((argument) => typeof args[argument] !== 'string');
  if (wrong.length > 0) {
    const named = wrong.slice(0, 10).map(quoted).join(', ');
    throw new RxmcpError('INVALID_PARAMS', `prompt "${name}": these arguments must be strings: ${named}`);
  }
}

type Outcome = Awaited<ReturnType<NonNullable<PromptParts['check']>>>;

function valid({ name }: Prompt, outcome: Outcome): unknown {
  if (outcome.issues === undefined) return outcome.value;
  throw new RxmcpError(
    'INVALID_PARAMS',
    `invalid arguments for prompt "${name}": ${formatProblems(outcome.issues)}`,
  );
}

function promptResultOf(
  { name }: Prompt,
  { templateVersion: version }: PromptParts,
  value: PromptReturnValue | undefined | null,
): PromptResult {
  if (value === undefined || value === null) {
    throw new RxmcpError(
      'NO_RESULT',
      `prompt "${name}" returned nothing. Return a string, messages or a result; after => { a function needs "return"`,
    );
  }
  const result = wholeOf(name, value);
  return version === undefined ? result : { ...result, _meta: { ...result._meta, version } };
}

function wholeOf(name: string, value: unknown): PromptResult {
  if (typeof value === 'string') return { messages: [user(value)] };
  const whole = isMessage(value) ? { messages: [value] } : Array.isArray(value) ? { messages: value } : value;
  if (!isObject(whole) || !Array.isArray(whole['messages']))
    throw new TypeError(`prompt "${name}" returned neither messages nor a text`);
  const { messages, description, _meta } = whole;
  for (const [at, message] of messages.entries()) {
    const where = `prompt "${name}" gave "messages[${at}]"`;
    if (!isMessage(message)) throw new TypeError(`${where}, which is not a prompt message`);
    const problem = validateContentBlock(message.content);
    if (problem !== undefined) throw new TypeError(`${where}, whose content ${problem}`);
    assertAnnotations(where, message.content.annotations);
  }
  if (description !== undefined && typeof description !== 'string')
    throw new TypeError(`prompt "${name}" returned a "description" that is not a string`);
  if (_meta !== undefined && !isObject(_meta))
    throw new TypeError(`prompt "${name}" returned a "_meta" that is not an object`);
  return whole as unknown as PromptResult;
}

/** Most prompts that one request may include: two that include each other would go on for ever. */
const maxIncluded = 100;

const counts = new WeakMap<Context, number>();

/**
 * Returns the messages of another prompt, to build a prompt from. The prompt runs as for a client: its arguments are checked,
 * the caller must have the capabilities that it `needs`, and its progress is reported. Rejects with INVALID_PARAMS for invalid
 * arguments, with NO_RESULT if it returns nothing, and with a RangeError after 100 prompts in one request.
 */
export async function includePrompt(
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
  const { messages } = await resultPromise(output, ctx, `prompt ${name} ended without a result`);
  return messages;
}
