import { type Caller, type Context, type JsonObject, RxmcpError } from '@rxmcp/core';
import { maxKeyLength, isObject, resultPromise, describeValue } from '@rxmcp/core/internal';
import type { ElicitUrlHandler, ElicitUrlRequest } from './types.js';
import { describeUrl } from './web-url.js';

/** Runs the handler for URLs. Throws INVALID_PARAMS for an invalid URL; rejects with HANDLER_FAILED for an invalid answer. */
export function openUrl(
  handler: ElicitUrlHandler,
  params: JsonObject,
  ctx: Context,
  completions: Completions,
): Promise<JsonObject> {
  const { _meta: _ours, mode: _url, message, url, elicitationId: id, ...rest } = params;
  if (typeof message !== 'string') throw malformed('"message" must be a string');
  const page = typeof url === 'string' ? describeUrl(url) : undefined;
  if (page === undefined) throw malformed('"url" must be a url of the web');
  if (typeof id === 'string' && id.length > maxKeyLength)
    throw malformed(`"elicitationId" has more than ${maxKeyLength} characters`);
  const request: ElicitUrlRequest = {
    ...rest,
    message,
    ...page,
    ...(typeof id === 'string' ? { completed: completions.wait(ctx.caller, id) } : {}),
  };
  return agreed(handler, request, ctx, () => completions.forget(ctx.caller, id));
}

async function agreed(
  handler: ElicitUrlHandler,
  request: ElicitUrlRequest,
  ctx: Context,
  rejected: () => void,
): Promise<JsonObject> {
  let action: unknown;
  try {
    const result: unknown = await resultPromise(
      handler(request, ctx),
      ctx,
      'the url was left without an answer',
    );
    action = isObject(result) ? result.action : undefined;
  } finally {
    if (action !== 'accept') rejected();
  }
  // Only the consent is sent: what the person does on the page stays between them and the server.
  if (action === 'accept' || action === 'decline' || action === 'cancel') return { action };
  throw new RxmcpError(
    'HANDLER_FAILED',
    `the handler for urls returned an invalid answer: "action" is ${describeValue(action)}`,
  );
}

function malformed(what: string): RxmcpError {
  return new RxmcpError('INVALID_PARAMS', `elicitation/create: ${what}`);
}

const maxWaiting = 256;

/** The elicitations that wait for their completion, by server and by the id that the server gave them. */
export class Completions {
  // The capabilities of a server are one object per session, so that ids of different servers are kept apart.
  readonly #servers = new WeakMap<object, Map<string, () => void>>();

  /** Resolves when the server reports this id as completed. Keeps the last 256 ids of each server. */
  wait({ capabilities }: Caller, id: string): Promise<void> {
    const waiting = this.#servers.get(capabilities) ?? new Map<string, () => void>();
    this.#servers.set(capabilities, waiting);
    const oldest = waiting.size < maxWaiting ? undefined : waiting.keys().next().value;
    if (oldest !== undefined) waiting.delete(oldest);
    return new Promise((resolve) => waiting.set(id, resolve));
  }

  /** Stops waiting for an id. */
  forget({ capabilities }: Caller, id: unknown): void {
    this.#servers.get(capabilities)?.delete(id as string);
  }

  /** Resolves the promise of an id. Ignores an id that is unknown or already completed. */
  complete({ capabilities }: Caller, id: unknown): void {
    const waiting = this.#servers.get(capabilities);
    if (typeof id !== 'string') return;
    waiting?.get(id)?.();
    waiting?.delete(id);
  }
}
