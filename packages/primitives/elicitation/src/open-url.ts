import type { Caller, Context, JsonObject } from '@rxmcp/core';
import { RxmcpError } from '@rxmcp/core';
import { isObject, resultPromise, describeValue } from '@rxmcp/core/internal';
import type { ElicitUrlHandler, ElicitUrlRequest } from './types.js';
import { describeUrl } from './web-url.js';

/** Has a person agree to a url. Throws INVALID_PARAMS for a malformed one; rejects with HANDLER_FAILED for no answer. */
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
  refused: () => void,
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
    if (action !== 'accept') refused();
  }
  // Consent is all that is told: what the person does there is between them and the server.
  if (action === 'accept' || action === 'decline' || action === 'cancel') return { action };
  throw new RxmcpError(
    'HANDLER_FAILED',
    `the answer to the url is none: its action is ${describeValue(action)}`,
  );
}

function malformed(what: string): RxmcpError {
  return new RxmcpError('INVALID_PARAMS', `elicitation/create: ${what}`);
}

const maxWaiting = 256;

/** Who waits to hear that something opened elsewhere is done: by server, and by the id that the server gave it. */
export class Completions {
  // What a server declared is one object for as long as its session lasts: ids of one server say nothing to another.
  private readonly servers = new WeakMap<object, Map<string, () => void>>();

  /** Resolves when the server tells of this id; it keeps the last 256 of each server. */
  wait({ capabilities }: Caller, id: string): Promise<void> {
    const waiting = this.servers.get(capabilities) ?? new Map<string, () => void>();
    this.servers.set(capabilities, waiting);
    const oldest = waiting.size < maxWaiting ? undefined : waiting.keys().next().value;
    if (oldest !== undefined) waiting.delete(oldest);
    return new Promise((resolve) => waiting.set(id, resolve));
  }

  /** Nobody waits for it any more. */
  forget({ capabilities }: Caller, id: unknown): void {
    this.servers.get(capabilities)?.delete(id as string);
  }

  /** An id that is unknown, or was told of before, is ignored. */
  told({ capabilities }: Caller, id: unknown): void {
    const waiting = this.servers.get(capabilities);
    if (typeof id !== 'string') return;
    waiting?.get(id)?.();
    waiting?.delete(id);
  }
}
