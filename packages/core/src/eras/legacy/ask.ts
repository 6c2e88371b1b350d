import type { JsonObject } from '@rxmcp/jsonrpc';
import { RxmcpError, RpcError } from '../../base/errors.js';
import { quoted } from '../../base/message-text.js';
import { metaWithToken, replaceMeta } from '../../base/request-meta.js';
import type { Ask } from '../../contract/ask.js';
import { missingCapabilities, capabilityNames } from '../../contract/capability-needs.js';
import type { PendingCall } from '../../peer/calls.js';
import type { PendingExchange } from '../../peer/exchange-contract.js';
import { maxAskPauseMs } from '../../peer/deadline-pauses.js';
import { notification } from '../../peer/writer.js';
import type { ServingConnection } from '../served.js';
import { ignoreOutcome } from '../failure.js';
import { askRevisions } from './methods.js';
import { projectQuestion } from './projection/project.js';

// An ask has a time of its own, whatever is left of that of the request being served.
const patience = { idleTimeoutMs: maxAskPauseMs, totalTimeoutMs: maxAskPauseMs };

/** Asks the client with a real request beside the one being served; one per key. */
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

/** Any request to the client, as long as the one being served lasts. */
export function request(exchange: PendingExchange, method: string, params?: JsonObject): Promise<JsonObject> {
  const serving = exchange.host as ServingConnection;
  return canReply(serving) ? send(exchange, serving, method, params) : noReply(method);
}

function question(exchange: PendingExchange, wanted: Ask): Promise<JsonObject> {
  const { method, needs } = wanted;
  const serving = exchange.host as ServingConnection;
  const since = askRevisions.get(method);
  if (!canReply(serving)) return noReply(method);
  if (since === undefined || exchange.version < since) {
    return unavailable(`"${method}" cannot be asked: ${exchange.version} does not have it`);
  }
  const requiredCapabilities = missingCapabilities(needs, exchange.caller.capabilities);
  if (requiredCapabilities !== undefined) {
    const lacks = capabilityNames(requiredCapabilities);
    return unavailable(`"${method}" cannot be asked: the client did not declare ${lacks}`, {
      requiredCapabilities,
    });
  }
  const page = pageOf(wanted);
  let params: JsonObject | undefined;
  try {
    params = projectQuestion(method, page ?? wanted.params, exchange.version);
  } catch (error) {
    return Promise.reject(error as Error);
  }
  const answer = send(exchange, serving, method, params);
  if (page !== undefined) {
    notifyCompletion(
      exchange,
      page,
      answer,
      wanted.completed,
      (tell) => void memory(exchange).parting.push(tell),
    );
  }
  return answer;
}

function send(
  exchange: PendingExchange,
  serving: ServingConnection,
  method: string,
  params?: JsonObject,
): Promise<JsonObject> {
  const { withdrawals, parting } = memory(exchange);
  if (exchange.lane !== undefined && serving.hasLeft(exchange.lane)) {
    return unavailable(`"${method}" cannot be asked: the caller has left this request`);
  }
  const answer = new Promise<JsonObject>((resolve, reject) => {
    const { lane, version } = exchange;
    const call = serving.peer.calls.start(
      method,
      (id) => replaceMeta(params, metaWithToken(id, params?._meta as JsonObject | undefined)),
      patience,
      {
        result: (result) => {
          withdrawals.delete(leave);
          resolve(result);
        },
        failed: (error) => {
          withdrawals.delete(leave);
          reject(rejected(error, method));
        },
      },
      lane === undefined ? { version } : { lane, version },
    );
    const leave = (): void => {
      if (!serving.peer.calls.drop(call)) return;
      withdraw(serving, call, `"${exchange.method}" has ended`);
      reject(
        new RxmcpError('CANCELLED', `"${method}" withdrawn: "${exchange.method}" has ended`, {
          outcome: 'unknown',
        }),
      );
    };
    withdrawals.add(leave);
  });
  // A handler that does not look any more has been torn down on purpose.
  answer.catch(() => undefined);
  exchange.onEnd = (isCancelled) => {
    for (const leave of withdrawals) leave();
    // Nothing is said to who cancelled.
    if (!isCancelled) for (const tell of parting) tell();
  };
  return answer;
}

/**
 * Tells the client that nobody waits for its answer any more, on the lane of the request being served as long as it is
 * open. That lane goes on.
 */
export function withdraw(serving: ServingConnection, { id, lane }: PendingCall, reason = 'timed out'): void {
  const isOpen = lane !== undefined && !serving.hasLeft(lane);
  const message = notification('notifications/cancelled', { requestId: id, reason });
  void serving.writer.send(message, isOpen ? { lane } : undefined);
}

// -1 is the specification's code for a user who declined sampling. A broken answer is the fault of this very client.
function rejected(error: Error, method: string): Error {
  if (RpcError.is(error) && error.code === -1) {
    return new RxmcpError('ASK_REJECTED', `"${method}": ${quoted(error.message)}`, {
      outcome: 'answered',
      cause: error,
    });
  }
  if (RxmcpError.is(error, 'PROTOCOL_ERROR')) {
    return new RxmcpError('INVALID_ANSWER', error.message, { outcome: 'answered', cause: error });
  }
  return error;
}

function unavailable(message: string, data?: JsonObject): Promise<never> {
  return Promise.reject(new RxmcpError('ASK_UNAVAILABLE', message, data === undefined ? {} : { data }));
}

function canReply(serving: ServingConnection): boolean {
  return serving.traits.clientReplies && serving.legacy !== undefined;
}

function noReply(method: string): Promise<never> {
  return unavailable(`"${method}" cannot be asked: this client has no way to answer`);
}

interface Memory {
  readonly asks: Map<string, Promise<JsonObject>>;
  readonly done: Map<string, Promise<unknown>>;
  /** How to take each open request back. */
  readonly withdrawals: Set<() => void>;
  /** What is said right before the answer. */
  readonly parting: (() => void)[];
}

function memory(exchange: PendingExchange): Memory {
  return (exchange.asks ??= {
    asks: new Map(),
    done: new Map(),
    withdrawals: new Set(),
    parting: [],
  }) as Memory;
}

/** A question that sends a person to a page, under the name that 2025-11-25 wants for it; undefined for any other. */
export function pageOf({ method, params, id }: Ask): JsonObject | undefined {
  if (method !== 'elicitation/create' || params?.mode !== 'url') return undefined;
  return { ...params, elicitationId: id ?? newName() };
}

/**
 * Tells the client once when the person is done with a page that it was let go to: when `over` resolves, and without one when
 * the request that asked is answered, since accepting is consent only and a handler that needs more waits for it. Spec
 * 2025-11-25 client/elicitation#completion-notifications-for-url-mode-elicitation.
 */
export function notifyCompletion(
  exchange: PendingExchange,
  { elicitationId }: JsonObject,
  answer: Promise<JsonObject>,
  over: Ask['completed'],
  atEnd: (tell: () => void) => void,
): void {
  const tell = (): void =>
    exchange.send(notification('notifications/elicitation/complete', { elicitationId }));
  answer.then(({ action }) => {
    if (action !== 'accept') return;
    if (over === undefined) atEnd(tell);
    else over.then(() => void (exchange.isOpen && tell()), nothing);
  }, nothing);
}

const nothing = (): void => undefined;

// No secret, but nobody should come upon that of another: 128 random bits, as hexadecimal.
function newName(): string {
  const bytes = globalThis.crypto.getRandomValues(new Uint8Array(16));
  return [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('');
}
