import type { Context } from '@rxmcp/core';
import { RxmcpError } from '@rxmcp/core';
import { ignoreRejection, rejectRenamedOptions } from '@rxmcp/core/internal';
import { contentBlocks } from './message-content.js';
import type { SamplingTool } from './sampling-tool.js';
import { failed } from './sampling-tool.js';
import type {
  CreateMessageParams,
  CreateMessageResult,
  SamplingMessage,
  ToolChoice,
  ToolResultContent,
  ToolUseContent,
} from './types.js';
import { sample } from './sample.js';

// Omit would lose all names beside an open set of them.
type ConversationParams = {
  readonly [N in keyof CreateMessageParams as N extends 'tools' ? never : N]: CreateMessageParams[N];
};

/** A conversation in which the model may use tools. */
export interface SampleWithToolsParams extends ConversationParams {
  readonly tools: readonly SamplingTool[];
  /**
   * How often the model is asked at most; the last time it is told to use no tool. Clients end a call that asks more than ten
   * times. @default 8
   */
  readonly maxRounds?: number;
  /** How many uses of tools one turn of the model may hold; a turn with more ends in INVALID_ANSWER, and none of them runs. @default 64 */
  readonly maxToolUsesPerTurn?: number;
  /** How many of them run at a time, in the order in which the model named them. @default 8 */
  readonly maxConcurrentToolUses?: number;
}

/** The last completion, and how it came about. */
export interface SampleWithToolsResult extends CreateMessageResult {
  /** The whole conversation, this completion included. */
  readonly messages: readonly SamplingMessage[];
}

/**
 * Asks the client's model and lets it use tools until it answers without: each use is answered, those of one turn side by
 * side, a few at a time, and the model is asked again. A tool runs once per use, however often the handler runs again.
 * `required` holds for the first turn. Each turn is approved by the client's user.
 *
 * Rejects as `sample` does, with ASK_UNAVAILABLE where the client did not declare `sampling.tools`, and with INVALID_ANSWER for a
 * model that uses tools when it may not, or too many in one turn.
 * Spec 2026-07-28 client/sampling#multi-turn-tool-loop.
 */
export function sampleWithTools(
  ctx: Context,
  key: string,
  params: SampleWithToolsParams,
): Promise<SampleWithToolsResult> {
  return ignoreRejection(talk(ctx, key, params));
}

async function talk(
  ctx: Context,
  key: string,
  params: SampleWithToolsParams,
): Promise<SampleWithToolsResult> {
  rejectRenamedOptions('sampleWithTools', params, {
    maxUses: 'maxToolUsesPerTurn',
    maxTogether: 'maxConcurrentToolUses',
  });
  const {
    tools,
    maxRounds = 8,
    maxToolUsesPerTurn = 64,
    maxConcurrentToolUses = 8,
    toolChoice,
    ...rest
  } = params;
  for (const [name, value] of Object.entries({ maxRounds, maxToolUsesPerTurn, maxConcurrentToolUses }))
    if (!Number.isInteger(value) || value < 1)
      throw new TypeError(`sampleWithTools(ctx, "${key}"): "${name}" must be a positive integer`);
  const byName = new Map(tools.map((tool) => [tool.definition.name, tool]));
  if (byName.size < tools.length)
    throw new TypeError(`sampleWithTools(ctx, "${key}"): two tools have one name`);
  const definitions = tools.map(({ definition }) => definition);
  let { messages } = params;
  for (let round = 1; ; round += 1) {
    const turn = `${key}#${round}`;
    const choice = choiceOf(toolChoice, round, maxRounds);
    const asked = {
      ...rest,
      messages,
      tools: definitions,
      ...(choice === undefined ? {} : { toolChoice: choice }),
    };
    const result = await sample(ctx, turn, asked as CreateMessageParams);
    const { role, content } = result;
    messages = [...messages, { role, content }];
    const uses = contentBlocks(result).filter((block): block is ToolUseContent => block.type === 'tool_use');
    if (uses.length === 0) return { ...result, messages };
    if (uses.length > maxToolUsesPerTurn) throw tooMany(key, uses.length, maxToolUsesPerTurn);
    const answers = await mapConcurrent(uses, maxConcurrentToolUses, (use) =>
      ctx.step(`${turn} ${use.id}`, () => answered(byName, use, ctx)),
    );
    messages = [...messages, { role: 'user', content: answers }];
  }
}

function tooMany(key: string, uses: number, maxToolUsesPerTurn: number): RxmcpError {
  const message = `sampleWithTools "${key}": the model uses ${uses} tools in one turn, more than "maxToolUsesPerTurn" (${maxToolUsesPerTurn})`;
  return new RxmcpError('INVALID_ANSWER', message, {
    data: { limit: 'maxToolUsesPerTurn', max: maxToolUsesPerTurn, uses },
  });
}

function choiceOf(wanted: ToolChoice | undefined, round: number, maxRounds: number): ToolChoice | undefined {
  if (round === maxRounds) return { mode: 'none' };
  // Forced to use one in every turn it would never come to an end.
  return round > 1 && wanted?.mode === 'required' ? undefined : wanted;
}

async function answered(
  tools: ReadonlyMap<string, SamplingTool>,
  use: ToolUseContent,
  ctx: Context,
): Promise<ToolResultContent> {
  const tool = tools.get(use.name);
  if (tool !== undefined) return tool.answer(use, ctx);
  return { type: 'tool_result', toolUseId: use.id, ...failed(`there is no tool "${use.name}"`) };
}

/** Works on all items, on `most` of them at a time, and gives what came of each in their order. The first failure begins no more. */
async function mapConcurrent<T, R>(
  items: readonly T[],
  most: number,
  work: (item: T) => Promise<R>,
): Promise<readonly R[]> {
  const results: R[] = [];
  const waiting = items.entries();
  let failed = false;
  const worker = async (): Promise<void> => {
    for (const [at, item] of waiting) {
      try {
        results[at] = await work(item);
      } catch (error) {
        failed = true;
        throw error;
      }
      if (failed) return;
    }
  };
  await Promise.all(Array.from({ length: Math.min(most, items.length) }, worker));
  return results;
}
