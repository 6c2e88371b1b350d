import type { JsonObject } from '@rxmcp/jsonrpc';
import { METHOD_NOT_FOUND } from '@rxmcp/jsonrpc';
import { estimateMessageBytes } from '@rxmcp/transport/internal';
import { noop } from '../../base/checks.js';
import { RxmcpError, RpcError } from '../../base/errors.js';
import { quoted } from '../../base/message-text.js';
import { metaWithToken, replaceMeta } from '../../base/request-meta.js';
import type { Ask } from '../../contract/ask.js';
import type { PendingCall } from '../../peer/calls.js';
import type { PendingExchange } from '../../peer/exchange-contract.js';
import { maxAskPauseMs } from '../../peer/deadline-pauses.js';
import { budgetUsedUpError, chargeRequest } from '../../peer/memory.js';
import { notification } from '../../peer/writer.js';
import type { EraConnection } from '../served.js';
import { askUnavailable, undeclared } from '../ask-unavailable.js';
import { ignoreOutcome } from '../failure.js';
import { askRevisions } from './methods.js';
import { projectQuestion } from './projection/project.js';

// An ask has its own deadline, independent of the request being served.
const timeouts = { idleTimeoutMs: maxAskPauseMs, totalTimeoutMs: maxAskPauseMs };

/** Sends an ask to the client as a request on the lane of the request being served. Sends one per key. */
export function ask(exchange: PendingExchange, key: string, wanted: Ask): Promise<JsonObject> {
  const asks = memory(exchange).asks;
  ignoreOutcome(wanted.completed);
  let answer = asks.get(key);
  if (answer === undefined) {
    answer = question(exchange, wanted);
    asks.set(key, answer);
  }
  return answer;
}

/** This era never runs a handler again, so a step runs once. */
export function step<T>(exchange: PendingExchange, key: string, fn: () => T | PromiseLike<T>): Promise<T> {
  const done = memory(exchange).done;
  let value = done.get(key) as Promise<T> | undefined;
  if (value === undefined) {
    value = (async () => fn())();
    done.set(key, value);
  }
  return value;
}

/** Sends a custom request to the client while the request being served lasts. */
export function request(exchange: PendingExchange, method: string, params?: JsonObject): Promise<JsonObject> {
  const connection = exchange.host as EraConnection;
  return canReply(connection)
    ? send(exchange, connection, method, params, (error) => error)
    : noReply(method);
}

function question(exchange: PendingExchange, wanted: Ask): Promise<JsonObject> {
  const { method } = wanted;
  const connection = exchange.host as EraConnection;
  const since = askRevisions.get(method);
  if (!canReply(connection)) return noReply(method);
  if (since === undefined || exchange.version < since) {
    return Promise.reject(askUnavailable(method, `: ${exchange.version} does not have it`));
  }
  const error = undeclared(wanted, exchange);
  if (error !== undefined) return Promise.reject(error);
  const page = pageOf(wanted);
  let params: JsonObject | undefined;
  try {
    params = projectQuestion(method, page ?? wanted.params, exchange.version);
  } catch (error) {
    return Promise.reject(error as Error);
  }
  const answer = send(exchange, connection, method, params, (error) => answeredWith(error, method));
  if (page !== undefined) {
    notifyCompletion(
      exchange,
      page,
      answer,
      wanted.completed,
      (send) => void memory(exchange).beforeResponse.push(send),
    );
  }
  return answer;
}

function send(
  exchange: PendingExchange,
  connection: EraConnection,
  method: string,
  params: JsonObject | undefined,
  rejected: (error: RpcError) => Error,
): Promise<JsonObject> {
  const { withdrawals, beforeResponse } = memory(exchange);
  if (exchange.lane !== undefined && connection.isLaneClosed(exchange.lane)) {
    return Promise.reject(askUnavailable(method, ': the caller disconnected'));
  }
  const answer = new Promise<JsonObject>((resolve, reject) => {
    const { lane, version } = exchange;
    const call = connection.peer.calls.start(
      method,
      (id) => replaceMeta(params, metaWithToken(id, params?._meta as JsonObject | undefined)),
      timeouts,
      {
        result: (result) => settle(estimateMessageBytes(result), () => resolve(result)),
        failed: (error) => {
          const isResponse = RpcError.is(error);
          const reason = isResponse ? rejected(error) : unanswered(error, method);
          settle(isResponse ? estimateMessageBytes([error.message, error.data]) : 0, () => reject(reason));
        },
      },
      lane === undefined ? { version } : { lane, version },
    );
    // Both the memory of asks and the handler keep a response until the exchange ends.
    const settle = (bytes: number, settled: () => void): void => {
      withdrawals.delete(leave);
      if (chargeRequest(exchange, bytes)) settled();
      else reject(budgetUsedUpError());
    };
    const leave = (): void => {
      if (!connection.peer.calls.drop(call)) return;
      withdraw(connection, call, `"${exchange.method}" has ended`);
      reject(
        new RxmcpError('CANCELLED', `"${method}" was cancelled: "${exchange.method}" has ended`, {
          outcome: 'unknown',
        }),
      );
    };
    withdrawals.add(leave);
  });
  // A handler that no longer waits was torn down on purpose.
  answer.catch(() => undefined);
  exchange.onEnd = (isCancelled) => {
    for (const leave of withdrawals) leave();
    // A caller that cancelled receives nothing more.
    if (!isCancelled) for (const send of beforeResponse) send();
  };
  return answer;
}

/** Cancels a request at the client, on the lane of the request being served if it is open. The lane stays open. */
export function withdraw(connection: EraConnection, { id, lane }: PendingCall, reason = 'timed out'): void {
  const isOpen = lane !== undefined && !connection.isLaneClosed(lane);
  const message = notification('notifications/cancelled', { requestId: id, reason });
  void connection.writer.send(message, isOpen ? { lane } : undefined);
}

// An error of the client is its answer to the ask, and never the code of the request being served. The specification uses -1 for a user
// who rejected sampling.
function answeredWith(error: RpcError, method: string): RxmcpError {
  const isUnknown = error.code === METHOD_NOT_FOUND;
  const what = isUnknown ? 'the client does not have it' : 'the client rejected it';
  const number = error.code === -1 ? '' : ` (${error.code})`;
  const message = `"${method}": ${what}: ${quoted(error.message)}${number}`;
  const { retryable } = error;
  return new RxmcpError(isUnknown ? 'ASK_UNAVAILABLE' : 'ASK_REJECTED', message, {
    outcome: 'answered',
    retryable,
    cause: error,
  });
}

function unanswered(error: Error, method: string): Error {
  if (RxmcpError.is(error, 'TIMEOUT')) {
    const message = `"${method}" was not answered within ${maxAskPauseMs} ms`;
    return new RxmcpError('TIMEOUT', message, { outcome: 'unknown', retryable: true });
  }
  // A malformed response is the fault of this client.
  return RxmcpError.is(error, 'PROTOCOL_ERROR')
    ? new RxmcpError('INVALID_ANSWER', error.message, { outcome: 'answered', cause: error })
    : error;
}

function canReply(connection: EraConnection): boolean {
  return connection.traits.clientReplies && connection.legacy !== undefined;
}

function noReply(method: string): Promise<never> {
  return Promise.reject(askUnavailable(method, ': this client has no way to answer'));
}

interface Memory {
  readonly asks: Map<string, Promise<JsonObject>>;
  readonly done: Map<string, Promise<unknown>>;
  /** Functions that cancel the requests that are open. */
  readonly withdrawals: Set<() => void>;
  /** Notifications that are sent right before the response. */
  readonly beforeResponse: (() => void)[];
}

function memory(exchange: PendingExchange): Memory {
  return (exchange.asks ??= {
    asks: new Map(),
    done: new Map(),
    withdrawals: new Set(),
    beforeResponse: [],
  }) as Memory;
}

/**
 * Returns the parameters of a URL elicitation with the `elicitationId` that 2025-11-25 requires; undefined for any
 * other ask.
 */
function pageOf({ method, params, id }: Ask): JsonObject | undefined {
  if (method !== 'elicitation/create' || params?.mode !== 'url') return undefined;
  return { ...params, elicitationId: id ?? newName() };
}

/**
 * Notifies the client once that the user is done with a page. Sends it when `over` resolves or, without `over`,
 * with the response to the request that asked: accepting is consent only, and a handler that needs more waits for
 * it.
 * @see Spec 2025-11-25 client/elicitation#completion-notifications-for-url-mode-elicitation
 */
function notifyCompletion(
  exchange: PendingExchange,
  { elicitationId }: JsonObject,
  answer: Promise<JsonObject>,
  over: Ask['completed'],
  atEnd: (send: () => void) => void,
): void {
  const send = (): void =>
    exchange.send(notification('notifications/elicitation/complete', { elicitationId }));
  answer.then(({ action }) => {
    if (action !== 'accept') return;
    if (over === undefined) atEnd(send);
    else over.then(() => void (exchange.isOpen && send()), noop);
  }, noop);
}

// Not a secret, but unique: 128 random bits in hexadecimal.
function newName(): string {
  const bytes = globalThis.crypto.getRandomValues(new Uint8Array(16));
  return [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('');
}
