import type { Context, JsonObject } from '@rxmcp/core';
import { quoted, resultOf } from '@rxmcp/core/internal';
import { fillPrompt } from './fill.js';
import type { Prompt } from './prompt.js';
import type { PromptMessage } from './types.js';

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
