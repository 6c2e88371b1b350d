import type { JsonObject } from '@rxmcp/core';
import { RxmcpError } from '@rxmcp/core';
import { refTimer, isUnencryptedRemote, isObject, rejectUnknownOptions } from '@rxmcp/core/internal';
import type { ModelInfo } from './choose-model.js';
import { chooseModel } from './choose-model.js';
import { ModelError } from './model-error.js';
import { completionOf, chatUsage, withinLimit } from './openai-answer.js';
import { chatRequest } from './openai-chat.js';
import type { SamplingModel } from './offer-sampling.js';
import type { CreateMessageParams, CreateMessageResult } from './types.js';
import { withTokenUsage } from './token-usage.js';
import { validateParams } from './validate.js';

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

/** A model of {@link openAiModel}: for `offerSampling`, or to call directly. */
export interface OpenAiModel extends SamplingModel {
  /** Completes a request. Aborting `signal` aborts it. */
  (params: CreateMessageParams, options?: { readonly signal?: AbortSignal }): Promise<CreateMessageResult>;
  readonly modelName: string;
  modelFor(params: CreateMessageParams): string;
}

/**
 * Makes a model of an OpenAI-compatible chat endpoint: text, images, wav and mp3 in, text and tool uses out. It honours
 * `tools` and `toolChoice`. Pass it to `offerSampling`, or call it: `await model({ messages, maxTokens: 500 })`. Text beyond `maxTokens` is cut at a word; a tool use beyond it fails with MODEL_INVALID_RESPONSE.
 *
 * Its completions fail with {@link ModelError}, and with INVALID_PARAMS for malformed parameters and for other audio. Throws a TypeError for a key that would
 * be sent unencrypted to another machine.
 */
export function openAiModel(options: OpenAiOptions): OpenAiModel {
  rejectUnknownOptions('openAiModel', options, knownOptions, {
    tokenLimit: 'tokenLimitField',
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
  const complete = async (
    params: CreateMessageParams,
    { signal }: { readonly signal?: AbortSignal } = {},
  ): Promise<CreateMessageResult> => {
    const problem = validateParams(params);
    if (problem !== undefined) throw new RxmcpError('INVALID_PARAMS', `openAiModel: ${problem}`);
    const model = modelFor(params);
    const extra = params.metadata === undefined ? undefined : options.metadata?.(params.metadata);
    const body = { ...extra, ...chatRequest(params, model, options.tokenLimitField ?? 'max_tokens') };
    const answer = await post(url, JSON.stringify(body), options, signal);
    const completion = completionOf(answer, model, params.stopSequences ?? []);
    const usage = chatUsage(answer);
    const kept = withinLimit(completion, params.maxTokens, usage);
    if (usage === undefined) return kept;
    const { inputTokens, outputTokens } = usage;
    return withTokenUsage(kept, { inputTokens, outputTokens });
  };
  return Object.assign(complete, { modelName, modelFor });
}

async function post(
  url: URL,
  body: string,
  options: OpenAiOptions,
  signal: AbortSignal | undefined,
): Promise<unknown> {
  const { apiKey, totalTimeoutMs = 120_000, fetch = globalThis.fetch } = options;
  const controller = new AbortController();
  const late = refTimer(
    () =>
      controller.abort(
        new ModelError('MODEL_TIMEOUT', `"${url.host}" did not answer within ${totalTimeoutMs} ms`),
      ),
    totalTimeoutMs,
  );
  const withdrawn = (): void => controller.abort(signal?.reason);
  if (signal?.aborted === true) withdrawn();
  else signal?.addEventListener('abort', withdrawn, { once: true });
  try {
    const response = await fetch(url, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        accept: 'application/json',
        ...(apiKey === undefined ? {} : { authorization: `Bearer ${apiKey}` }),
      },
      body,
      redirect: 'error',
      signal: controller.signal,
    });
    const text = await textOf(response, options.maxResponseBytes ?? 4_194_304);
    if (!response.ok) throw refused(response.status, text, options);
    return parsed(text);
  } catch (error) {
    if (controller.signal.aborted) throw controller.signal.reason;
    if (error instanceof ModelError) throw error;
    throw new ModelError('MODEL_UNREACHABLE', `"${url.host}" could not be reached`, { cause: error });
  } finally {
    clearTimeout(late);
    signal?.removeEventListener('abort', withdrawn);
  }
}

async function textOf(response: Response, maxBytes: number): Promise<string> {
  if (response.body === null) return '';
  const reader = response.body.getReader();
  const decoder = new TextDecoder();
  let [text, bytes] = ['', 0];
  for (let step = await reader.read(); !step.done; step = await reader.read()) {
    bytes += step.value.byteLength;
    if (bytes > maxBytes) {
      await reader.cancel();
      throw new ModelError('MODEL_INVALID_RESPONSE', `the answer is larger than ${maxBytes} bytes`, {
        status: response.status,
      });
    }
    text += decoder.decode(step.value, { stream: true });
  }
  return text + decoder.decode();
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new ModelError('MODEL_INVALID_RESPONSE', 'the answer is not valid JSON', { cause });
  }
}

function refused(status: number, text: string, { apiKey }: OpenAiOptions): ModelError {
  let said: unknown;
  try {
    const body: unknown = JSON.parse(text);
    said = isObject(body) && isObject(body.error) ? body.error.message : undefined;
  } catch {
    // The error page of a proxy does not belong in a log.
  }
  // Some endpoints repeat a rejected key. It is removed before the text is cut, or a part of it would remain.
  if (typeof said === 'string' && apiKey) said = said.replaceAll(apiKey, '***');
  const detail = typeof said === 'string' ? `: ${said.slice(0, 300)}` : '';
  return new ModelError('MODEL_HTTP_ERROR', `the model's endpoint answered ${status}${detail}`, { status });
}
