import type { RequestId, JsonObject } from '@rxmcp/jsonrpc';
import { META_KEYS } from '@rxmcp/jsonrpc/internal';
import { estimateMessageBytes } from '@rxmcp/transport/internal';
import { isObject } from '../../base/checks.js';
import { afterMicrotasks } from '../../base/clock.js';
import { RxmcpError } from '../../base/errors.js';
import { quoted } from '../../base/message-text.js';
import type { Ask } from '../../contract/ask.js';
import type { PendingExchange } from '../../peer/exchange-contract.js';
import { budgetUsedUpError, chargeRequest, holderOfRequest } from '../../peer/memory.js';
import type { EraConnection } from '../served.js';
import { askUnavailable, undeclared } from '../ask-unavailable.js';
import { ignoreOutcome } from '../failure.js';
import { methodsThatMayAsk } from './methods.js';
import type { Binding } from './seal.js';
import type { SentBeforeAsk } from './sent-before-ask.js';
import { reportRepeated, sentBeforeAsk } from './sent-before-ask.js';

/** What earlier rounds of a request provided, and what this round asks for. */
interface Rounds {
  /** Which run of the handler this is. */
  round: number;
  /** What the run before this one sent before its first ask. */
  earlier: SentBeforeAsk | undefined;
  /** What this run sent before its first ask; undefined until then. */
  sent: SentBeforeAsk | undefined;
  readonly answers: Map<string, JsonObject>;
  readonly done: Map<string, unknown>;
  readonly running: Map<string, Promise<unknown>>;
  readonly wanted: Map<
    string,
    { readonly ask: Ask; readonly suspend: (error: Error) => void; readonly answer: Promise<JsonObject> }
  >;
}

/**
 * Restores the sealed state of an earlier round.
 * @see Spec 2026-07-28 basic/patterns/mrtr
 */
export function resume(connection: EraConnection, exchange: PendingExchange): Promise<void> | undefined {
  const { requestState, inputResponses } = exchange.params;
  // Answers without state are unsolicited: they are ignored, and asked for again.
  if (requestState === undefined) return undefined;
  return reopened(connection, exchange, requestState, inputResponses);
}

/**
 * Asks the client. Returns an answer of an earlier round at once. Otherwise all asks made before the microtasks end
 * are sent as one `input_required` result, and this run of the handler ends.
 */
export function ask(exchange: PendingExchange, key: string, question: Ask): Promise<JsonObject> {
  const rounds = roundsOf(exchange);
  if (rounds.sent === undefined) {
    rounds.sent = sentBeforeAsk(exchange);
    if (rounds.earlier !== undefined) reportRepeated(exchange, rounds.earlier, rounds.sent);
  }
  // This revision has no notification for a completed elicitation.
  ignoreOutcome(question.completed);
  const known = rounds.answers.get(key);
  if (known !== undefined) return Promise.resolve(known);
  const error = methodsThatMayAsk.has(exchange.method)
    ? undeclared(question, exchange)
    : askUnavailable(question.method, ` in ${quoted(exchange.method)}`);
  if (error !== undefined) return Promise.reject(error);
  const asked = rounds.wanted.get(key);
  if (asked !== undefined) return asked.answer;
  let suspend: (error: Error) => void = () => undefined;
  const answer = new Promise<JsonObject>((_resolve, reject) => (suspend = reject));
  // The run that waits for it is suspended on purpose.
  answer.catch(() => undefined);
  if (rounds.wanted.size === 0) afterMicrotasks(() => void askAll(exchange, rounds));
  rounds.wanted.set(key, { ask: question, suspend, answer });
  return answer;
}

/** Returns which run of the handler this is: one more than the sealed state says. */
export function round(exchange: PendingExchange): number {
  return (exchange.asks as Rounds | undefined)?.round ?? 1;
}

/** Rejects: in this era a server sends no requests. */
export function request(_exchange: PendingExchange, method: string): Promise<never> {
  return Promise.reject(askUnavailable(method, ': a server of this revision sends no requests'));
}

/** Work done once over all rounds: its value travels in the sealed state. */
export function step<T>(exchange: PendingExchange, key: string, fn: () => T | PromiseLike<T>): Promise<T> {
  const { done, running } = roundsOf(exchange);
  if (done.has(key)) return Promise.resolve(done.get(key) as T);
  let run = running.get(key) as Promise<T> | undefined;
  if (run === undefined) {
    run = (async () => {
      const value = await fn();
      done.set(key, value);
      return value;
    })();
    running.set(key, run);
  }
  return run;
}

async function reopened(
  connection: EraConnection,
  exchange: PendingExchange,
  state: unknown,
  responses: unknown,
): Promise<void> {
  if (typeof state !== 'string') throw new RxmcpError('INVALID_PARAMS', '"requestState" must be a string');
  if (responses !== undefined && !isObject(responses)) {
    throw new RxmcpError('INVALID_PARAMS', '"inputResponses" must be an object');
  }
  const opened = await connection.core.sealer.open(state, bindingOf(exchange));
  // Its text is charged with the request. What it holds may take more.
  if (exchange.isOpen && !chargeRequest(exchange, estimateMessageBytes(opened))) throw budgetUsedUpError();
  const rounds = roundsOf(exchange);
  // A state of an earlier version of this library has neither.
  rounds.round = typeof opened.round === 'number' ? opened.round + 1 : 2;
  rounds.earlier = opened.sent as SentBeforeAsk | undefined;
  for (const [key, value] of Object.entries(opened.answers as JsonObject))
    rounds.answers.set(key, value as JsonObject);
  for (const [key, did] of Object.entries(opened.done as JsonObject))
    rounds.done.set(key, (did as { value?: unknown }).value);
  for (const key of opened.asked as readonly string[]) {
    const answer = responses !== undefined && Object.hasOwn(responses, key) ? responses[key] : undefined;
    if (answer === undefined) continue;
    if (!isObject(answer))
      throw new RxmcpError('INVALID_PARAMS', `"inputResponses" ${quoted(key)} must be an object`);
    rounds.answers.set(key, answer);
  }
}

async function askAll(exchange: PendingExchange, rounds: Rounds): Promise<void> {
  if (!exchange.isOpen) {
    const ended = new RxmcpError('CANCELLED', `"${exchange.method}" has ended before its client was asked`);
    for (const { suspend } of rounds.wanted.values()) suspend(ended);
    return;
  }
  const { method, id } = exchange;
  const suspended = new RxmcpError(
    'ASK_SUSPENDED',
    `"${method}" waits for its client and runs again with the answer`,
  );
  const inputRequests: [string, JsonObject][] = [];
  for (const [key, { ask: question }] of rounds.wanted) {
    const body: JsonObject = { method: question.method };
    if (question.params !== undefined) body.params = question.params;
    inputRequests.push([key, body]);
  }
  exchange.suspend(suspended);
  for (const { suspend } of rounds.wanted.values()) suspend(suspended);
  // Wait for `step` functions that still run: their values must be in the state, or the next round would run them
  // again.
  await Promise.allSettled(rounds.running.values());
  try {
    const connection = exchange.host as EraConnection;
    const state = {
      answers: Object.fromEntries(rounds.answers),
      // Each value in its own object, so that a step without a value counts as done too.
      done: Object.fromEntries([...rounds.done].map(([key, value]) => [key, { value }])),
      round: rounds.round,
      sent: rounds.sent,
      asked: inputRequests.map(([key]) => key),
    };
    const requestState = await connection.core.sealer.seal(state, bindingOf(exchange));
    exchange.resumeWith(
      inputRequired(id, Object.fromEntries(inputRequests), requestState, connection.core.info),
    );
  } catch (error) {
    exchange.failed(error);
  }
}

function bindingOf(exchange: PendingExchange): Binding {
  const { method, params, caller } = exchange;
  return { method, params, principal: caller.principal, holder: holderOfRequest(exchange) };
}

function inputRequired(id: RequestId, inputRequests: JsonObject, requestState: string, info: unknown) {
  const result = {
    resultType: 'input_required',
    inputRequests,
    requestState,
    _meta: { [META_KEYS.serverInfo]: info },
  };
  return { jsonrpc: '2.0' as const, id, result };
}

function roundsOf(exchange: PendingExchange): Rounds {
  return (exchange.asks ??= {
    round: 1,
    earlier: undefined,
    sent: undefined,
    answers: new Map(),
    done: new Map(),
    running: new Map(),
    wanted: new Map(),
  }) as Rounds;
}
