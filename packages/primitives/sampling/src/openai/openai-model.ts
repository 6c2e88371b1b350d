import { type JsonObject, RxmcpError } from '@rxmcp/core';
import { isUnencryptedRemote, rejectUnknownOptions } from '@rxmcp/core/internal';
import { type ModelInfo, chooseModel } from '../offer/choose-model.js';
import { completionOf, chatUsage, withinLimit } from './openai-response.js';
import { chatRequest } from './openai-chat.js';
import { post, type Endpoint } from './openai-post.js';
import type { SamplingModel } from '../offer/offer-sampling.js';
import type { CreateMessageParams, CreateMessageResult } from '../messages/types.js';
import { withTokenUsage } from '../budget/token-usage.js';
import { validateParams } from '../messages/validate.js';

/** Options of {@link openAiModel}. */
export interface OpenAiOptions {
  /** The base URL with the version, such as `https://api.openai.com/v1` or `http://localhost:11434/v1`. */
  readonly baseUrl: string | URL;
  /** The model for requests without preferences. */
  readonly model: string | ModelInfo;
  /** Other models for servers with preferences; see {@link chooseModel}. @default none */
  readonly models?: readonly (string | ModelInfo)[];
  /**
   * Converts a server's `metadata` to additional members of the request, such as `{ user }`. They do not replace members such as
   * the model, the messages and the limit. @default the metadata is not sent
   */
  readonly metadata?: (metadata: JsonObject) => JsonObject;
  /** Sent as a bearer token. Over plain HTTP it is sent to this machine only. @default none */
  readonly apiKey?: string;
  /** Allows the key over plain HTTP to another machine, where others on the network can read it. @default false */
  readonly dangerouslyAllowInsecureCredentials?: boolean;
  /** The endpoint's name of the token limit. @default 'max_tokens' */
  readonly tokenLimitField?: 'max_tokens' | 'max_completion_tokens';
  /** Timeout of one complete response, in milliseconds. @default 120_000 */
  readonly totalTimeoutMs?: number;
  /** Largest response, in bytes. @default 4_194_304 */
  readonly maxResponseBytes?: number;
  /** @default globalThis.fetch */
  readonly fetch?: typeof globalThis.fetch;
}

const knownOptions: Record<keyof OpenAiOptions, true> = {
  baseUrl: true,
  model: true,
  models: true,
  metadata: true,
  apiKey: true,
  dangerouslyAllowInsecureCredentials: true,
  tokenLimitField: true,
  totalTimeoutMs: true,
  maxResponseBytes: true,
  fetch: true,
};

/** Options of one completion of {@link OpenAiModel}. */
export interface CompletionOptions {
  /** Aborting it aborts the request. @default none */
  readonly signal?: AbortSignal;
  /** Requests a stream, and receives each piece of the text while it arrives. @default the response arrives whole */
  readonly onText?: (text: string) => void;
}

/** A model of {@link openAiModel}: for `offerSampling`, or to call directly. */
export interface OpenAiModel extends SamplingModel {
  /** Completes a request. */
  (params: CreateMessageParams, options?: CompletionOptions): Promise<CreateMessageResult>;
  readonly modelName: string;
  modelFor(params: CreateMessageParams): string;
}

/**
 * Makes a model of an OpenAI-compatible chat endpoint: text, images, wav and mp3 in, text and tool uses out. It honours
 * `tools` and `toolChoice`. Pass it to `offerSampling`, or call it: `await model({ messages, maxTokens: 500 })`. Text beyond `maxTokens` is cut at a word; a tool use beyond it fails with MODEL_INVALID_RESPONSE.
 *
 * Its completions fail with {@link ModelError}, and with INVALID_PARAMS for malformed parameters and for other audio.
 * @throws TypeError for a key that would be sent unencrypted to another machine
 */
export function openAiModel(options: OpenAiOptions): OpenAiModel {
  rejectUnknownOptions('openAiModel', options, knownOptions, {
    timeoutMs: 'totalTimeoutMs',
  });
  const url = new URL(`${String(options.baseUrl).replace(/\/+$/, '')}/chat/completions`);
  if (options.apiKey && isUnencryptedRemote(url) && options.dangerouslyAllowInsecureCredentials !== true)
    throw new TypeError(
      `openAiModel: the key is not sent over plain HTTP to "${url.host}": use https, or "dangerouslyAllowInsecureCredentials"`,
    );
  const modelName = typeof options.model === 'object' ? options.model.name : options.model;
  if (typeof modelName !== 'string' || modelName === '') throw new TypeError('openAiModel needs a `model`');
  const models = [options.model, ...(options.models ?? [])];
  const modelFor = ({ modelPreferences }: CreateMessageParams): string =>
    chooseModel(modelPreferences, models) ?? modelName;
  const endpoint: Endpoint = {
    url,
    apiKey: options.apiKey,
    totalTimeoutMs: options.totalTimeoutMs ?? 120_000,
    maxResponseBytes: options.maxResponseBytes ?? 4_194_304,
    fetch: options.fetch ?? globalThis.fetch,
  };
  const complete = async (
    params: CreateMessageParams,
    { signal, onText }: CompletionOptions = {},
  ): Promise<CreateMessageResult> => {
    const problem = validateParams(params);
    if (problem !== undefined) throw new RxmcpError('INVALID_PARAMS', `openAiModel: ${problem}`);
    const model = modelFor(params);
    const extra = params.metadata === undefined ? undefined : options.metadata?.(params.metadata);
    const body = {
      ...extra,
      ...chatRequest(params, model, options.tokenLimitField ?? 'max_tokens'),
      ...(onText === undefined ? {} : { stream: true, stream_options: { include_usage: true } }),
    };
    const response = await post(endpoint, JSON.stringify(body), { signal, onText });
    const completion = completionOf(response, model, params.stopSequences ?? []);
    const usage = chatUsage(response);
    const kept = withinLimit(completion, params.maxTokens, usage);
    if (usage === undefined) return kept;
    const { saidTokens: _said, ...tokens } = usage;
    return withTokenUsage(kept, tokens);
  };
  return Object.assign(complete, { modelName, modelFor });
}
