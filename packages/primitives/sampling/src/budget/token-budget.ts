import { rejectUnknownOptions } from '@rxmcp/core/internal';
import type { ContentBlock, ResponseEvent, InterceptedRequest, Interceptor, NextFunction } from '@rxmcp/core';
import { RxmcpError, RpcError } from '@rxmcp/core';
import { type Observable, BehaviorSubject, defer, finalize, tap } from 'rxjs';
import { contentBlocks } from '../messages/message-content.js';
import { ModelError } from '../messages/model-error.js';
import type { CreateMessageParams, CreateMessageResult, SamplingContent } from '../messages/types.js';
import { type TokenUsage, getTokenUsage } from './token-usage.js';

/** Options of {@link tokenBudget}. */
export interface TokenBudgetOptions {
  /** Most input and output tokens of one server per minute. @default Infinity */
  readonly tokensPerMinute?: number;
  /** Maximum cost of all servers together, in the unit of `price`. @default Infinity */
  readonly maxCost?: number;
  /** Returns the cost of a completion; `model` is undefined before there is one. @default no cost */
  readonly price?: (usage: TokenUsage, model: string | undefined) => number;
  /** Returns the key of a server. @default the server's own name */
  readonly per?: (request: InterceptedRequest) => string;
  /** Most servers that are counted separately; the least recently used is removed first. @default 1_000 */
  readonly maxKeys?: number;
}

const knownOptions: Record<keyof TokenBudgetOptions, true> = {
  tokensPerMinute: true,
  maxCost: true,
  price: true,
  per: true,
  maxKeys: true,
};

/** Limits the cost of models; made by {@link tokenBudget}. */
export interface TokenBudget {
  /** The interceptor for `modelInterceptors` of `offerSampling`; several offers may share it. */
  readonly interceptor: Interceptor;
  /** The usage so far: on subscription and after each completion; it never completes. @stream status */
  readonly cost$: Observable<SamplingCost>;
}

/**
 * Counts the tokens of a client's model and rejects a run that could exceed the budget, before it starts: with -31001 and
 * `data.retryAfterMs` for tokens per minute, with ASK_REJECTED for the maximum cost. A run counts with its whole `maxTokens` until
 * it ends, then with the usage that its model reports ({@link getTokenUsage}). Without a report, four characters are one token, and an
 * image, audio or base64 file is 1,500 tokens; a cancelled or failed run counts with its whole `maxTokens`. Keeps only counts.
 * @throws TypeError for invalid limits, and for `maxCost` without `price`
 */
export function tokenBudget(options: TokenBudgetOptions): TokenBudget {
  rejectUnknownOptions('tokenBudget', options, knownOptions);
  const { tokensPerMinute = Infinity, maxCost = Infinity, maxKeys = 1_000 } = options;
  const { price = () => 0, per = ({ caller }) => caller.info?.name ?? '' } = options;
  for (const [name, value] of Object.entries({ tokensPerMinute, maxCost, maxKeys })) {
    if (!(typeof value === 'number' && value > 0)) throw new TypeError(`${name} must be a positive number`);
  }
  if (maxCost !== Infinity && options.price === undefined) throw new TypeError('`maxCost` needs `price`');
  const meter = new TokenMeter(tokensPerMinute, maxKeys);
  const tallies = new UsageTotals(maxKeys);
  const spent = new BehaviorSubject(tallies.now());
  let reservedCost = 0;

  const interceptor = (request: InterceptedRequest, next: NextFunction): Observable<ResponseEvent> =>
    defer(() => {
      const server = per(request);
      const most = worst(request.params as unknown as CreateMessageParams);
      const cost = price(most, undefined);
      if (spent.value.cost + reservedCost + cost > maxCost) {
        throw new RxmcpError(
          'ASK_REJECTED',
          `the request was rejected: "maxCost" (${maxCost}) would be exceeded`,
        );
      }
      const tokens = most.inputTokens + most.outputTokens;
      meter.take(server, tokens);
      reservedCost += cost;
      let taken: TokenUsage | undefined = most;
      let model: string | undefined;
      return next().pipe(
        tap({
          next(event) {
            if (event.type !== 'result') return;
            const completion = event.result as unknown as CreateMessageResult;
            taken = getTokenUsage(completion) ?? {
              ...most,
              outputTokens: tokensOf(contentBlocks(completion)),
            };
            ({ model } = completion);
          },
          error(error: unknown) {
            if (cameToNothing(error)) taken = undefined;
          },
        }),
        finalize(() => {
          reservedCost -= cost;
          const { inputTokens = 0, outputTokens = 0 } = taken ?? {};
          meter.giveBack(server, tokens - inputTokens - outputTokens);
          if (taken === undefined) return;
          tallies.add(server, taken, price(taken, model));
          spent.next(tallies.now());
        }),
      );
    });
  return { interceptor, cost$: spent.asObservable() };
}

/** The highest usage that a request can have, estimated before it runs. */
function worst(params: CreateMessageParams): TokenUsage {
  const { messages, systemPrompt = '', tools = [], maxTokens } = params;
  return {
    inputTokens: tokensOf(messages.flatMap(contentBlocks)) + jsonTokens([systemPrompt, tools]),
    outputTokens: maxTokens,
  };
}

const charsPerToken = 4;
/** The estimate for an image, audio or other base64, whose length says little about its tokens. */
const mediaTokens = 1_500;

function tokensOf(blocks: readonly (SamplingContent | ContentBlock)[]): number {
  return blocks.reduce((sum, block) => sum + blockTokens(block), 0);
}

function blockTokens(block: SamplingContent | ContentBlock): number {
  if (block.type === 'image' || block.type === 'audio') return mediaTokens;
  if (block.type === 'resource' && block.resource.blob !== undefined)
    return mediaTokens + jsonTokens({ ...block, resource: { ...block.resource, blob: '' } });
  if (block.type !== 'tool_result') return jsonTokens(block);
  const { content, ...rest } = block;
  return jsonTokens(rest) + tokensOf(content);
}

function jsonTokens(value: unknown): number {
  return Math.ceil(JSON.stringify(value).length / charsPerToken);
}

/** Whether no model was reached, so that no tokens were used. */
function cameToNothing(error: unknown): boolean {
  if (error instanceof ModelError)
    return error.code === 'MODEL_UNREACHABLE' || error.code === 'MODEL_HTTP_ERROR';
  return RxmcpError.is(error, 'INVALID_PARAMS') || (RpcError.is(error) && error.retryable);
}

/** The usage of completions. */
export interface SamplingUsage extends TokenUsage {
  /** In the unit of the price. */
  readonly cost: number;
  readonly calls: number;
}

/** The total usage, and the usage of each server. */
export interface SamplingCost extends SamplingUsage {
  /** The usage by server key; the least recently used keys are removed. */
  readonly servers: ReadonlyMap<string, SamplingUsage>;
}

/** Sums of usage. */
class UsageTotals {
  #all = nothing;
  readonly #servers = new Map<string, SamplingUsage>();

  constructor(private readonly maxKeys: number) {}

  add(server: string, usage: TokenUsage, cost: number): void {
    this.#all = sum(this.#all, usage, cost);
    const before = this.#servers.get(server);
    if (before !== undefined) this.#servers.delete(server);
    else if (this.#servers.size >= this.maxKeys)
      this.#servers.delete(this.#servers.keys().next().value as string);
    this.#servers.set(server, sum(before ?? nothing, usage, cost));
  }

  now(): SamplingCost {
    return { ...this.#all, servers: new Map(this.#servers) };
  }
}

const nothing: SamplingUsage = { cost: 0, calls: 0, inputTokens: 0, outputTokens: 0 };

function sum(before: SamplingUsage, usage: TokenUsage, cost: number): SamplingUsage {
  return {
    cost: before.cost + cost,
    calls: before.calls + 1,
    inputTokens: before.inputTokens + usage.inputTokens,
    outputTokens: before.outputTokens + usage.outputTokens,
  };
}

const minuteMs = 60_000;
/** The error code for a peer that exceeds the rate. */
const overloaded = -31_001;

interface Bucket {
  left: number;
  at: number;
}

/** A token bucket per key; used tokens are restored evenly over a minute. */
export class TokenMeter {
  readonly #buckets = new Map<string, Bucket>();

  constructor(
    private readonly perMinute: number,
    private readonly maxKeys: number,
  ) {}

  /** Takes tokens from the budget. Throws the error for the server if too few are left. */
  take(key: string, tokens: number): void {
    if (this.perMinute === Infinity) return;
    if (tokens > this.perMinute) {
      const message = `the request was rejected: it may use ${tokens} tokens, more than ${this.perMinute} per minute`;
      throw new RxmcpError('ASK_REJECTED', message);
    }
    const bucket = this.#bucket(key);
    if (bucket.left >= tokens) {
      bucket.left -= tokens;
      return;
    }
    const retryAfterMs = Math.max(1, Math.ceil(((tokens - bucket.left) * minuteMs) / this.perMinute));
    throw new RpcError(overloaded, `the limit of ${this.perMinute} tokens per minute is reached`, {
      retryable: true,
      retryAfterMs,
    });
  }

  /** Returns unused tokens; a negative number takes more. */
  giveBack(key: string, tokens: number): void {
    if (this.perMinute === Infinity) return;
    const bucket = this.#bucket(key);
    bucket.left = Math.min(this.perMinute, bucket.left + tokens);
  }

  #bucket(key: string): Bucket {
    const at = performance.now();
    const known = this.#buckets.get(key);
    const bucket = known ?? { left: this.perMinute, at };
    bucket.left = Math.min(this.perMinute, bucket.left + ((at - bucket.at) * this.perMinute) / minuteMs);
    bucket.at = at;
    // Moved to the end, so that the first entry is the least recently used.
    if (known !== undefined) this.#buckets.delete(key);
    else if (this.#buckets.size >= this.maxKeys)
      this.#buckets.delete(this.#buckets.keys().next().value as string);
    this.#buckets.set(key, bucket);
    return bucket;
  }
}
