import { type Context, RxmcpError } from '@rxmcp/core';
import { askArguments, ignoreRejection, rejectRenamedOptions, reserveAskKey } from '@rxmcp/core/internal';
import { contentBlocks } from '../messages/message-content.js';
import { type SamplingTool, failed } from './sampling-tool.js';
import type {
  CreateMessageParams,
  CreateMessageResult,
  SamplingMessage,
  ToolChoice,
  ToolResultContent,
  ToolUseContent,
} from '../messages/types.js';
import { sample } from './sample.js';

// `Omit` would lose the known names, since the type has an index signature.
type ConversationParams = {
  readonly [N in keyof CreateMessageParams as N extends 'tools' ? never : N]: CreateMessageParams[N];
};

/** Parameters of {@link sampleWithTools}. */
export interface SampleWithToolsParams extends ConversationParams {
  readonly tools: readonly SamplingTool[];
  /**
   * Maximum number of requests to the model; the last request forbids tools. Clients end a call that asks more than ten
   * times. @default 8
   */
  readonly maxRounds?: number;
  /** Most tool uses of one turn; a turn with more fails with INVALID_ANSWER, and none of its tools runs. @default 64 */
  readonly maxToolUsesPerTurn?: number;
  /** Most tools that run concurrently, started in the order of the model. @default 8 */
  readonly maxConcurrentToolUses?: number;
}

/** The last completion, and the conversation before it. */
export interface SampleWithToolsResult extends CreateMessageResult {
  /** The whole conversation, including this completion. */
  readonly messages: readonly SamplingMessage[];
}

/**
 * Asks the client's model in a loop: runs the tools that it uses, some concurrently, and asks again with their results, until it
 * answers without tools. A tool runs once per use, even if the handler runs again. The tool choice `required` applies to the first
 * turn only. The client's user approves each turn.
 *
 * Rejects as `sample` does, with ASK_UNAVAILABLE if the client did not declare `sampling.tools`, and with INVALID_ANSWER if the
 * model uses tools when it may not, or too many in one turn.
 * @see Spec 2026-07-28 client/sampling#multi-turn-tool-loop
 */
export function sampleWithTools(ctx: Context, params: SampleWithToolsParams): Promise<SampleWithToolsResult>;
/** Asks under a key. */
export function sampleWithTools(
  ctx: Context,
  key: string | undefined,
  params: SampleWithToolsParams,
): Promise<SampleWithToolsResult>;
export function sampleWithTools(
  ctx: Context,
  keyOrParams: string | SampleWithToolsParams | undefined,
  params?: SampleWithToolsParams,
): Promise<SampleWithToolsResult> {
  return ignoreRejection(talk(ctx, ...askArguments(keyOrParams, params)));
}

async function talk(
  ctx: Context,
  askKey: string | undefined,
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
  const where = `sampleWithTools(ctx${askKey === undefined ? '' : `, "${askKey}"`})`;
  for (const [name, value] of Object.entries({ maxRounds, maxToolUsesPerTurn, maxConcurrentToolUses }))
    if (!Number.isInteger(value) || value < 1)
      throw new TypeError(`${where}: "${name}" must be a positive integer`);
  const byName = new Map(tools.map((tool) => [tool.definition.name, tool]));
  if (byName.size < tools.length) throw new TypeError(`${where}: two tools have the same name`);
  const definitions = tools.map(({ definition }) => definition);
  let { messages } = params;
  // A copy of the list: the caller may add to it later.
  const { name: key } = await reserveAskKey(ctx, askKey, {
    method: 'sampling/createMessage',
    params: { ...rest, messages: Array.isArray(messages) ? [...messages] : messages, tools: definitions },
  });
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
    const results = await mapConcurrent(uses, maxConcurrentToolUses, (use) =>
      ctx.step(`${turn} ${use.id}`, () => answered(byName, use, ctx)),
    );
    messages = [...messages, { role: 'user', content: results }];
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
  // With a tool use required in each turn, the loop would never end.
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

/** Maps all items, at most `most` concurrently, with results in their order. After the first failure no item is started. */
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
