import type { Context, JsonObject } from '@rxmcp/core';
import { McpError } from '@rxmcp/core';
import { isObject, resultOf, shown } from '@rxmcp/core/internal';
import type { Completions } from './completions.js';
import type { UrlHandler } from './types.js';
import type { UrlRequest } from './types.js';
import { urlToShow } from './web-url.js';

/** Has a person agree to a url. Throws PARAMS_INVALID for a malformed one; rejects with HANDLER_FAILED for no answer. */
export function openUrl(
  handler: UrlHandler,
  params: JsonObject,
  ctx: Context,
  completions: Completions,
): Promise<JsonObject> {
  const { _meta: _ours, mode: _url, message, url, elicitationId: id, ...rest } = params;
  if (typeof message !== 'string') throw malformed('"message" must be a string');
  const page = typeof url === 'string' ? urlToShow(url) : undefined;
  if (page === undefined) throw malformed('"url" must be a url of the web');
  const request: UrlRequest = {
    ...rest,
    message,
    ...page,
    ...(typeof id === 'string' ? { completed: completions.wait(ctx.caller, id) } : {}),
  };
  return agreed(handler, request, ctx, () => {
    if (typeof id === 'string') completions.forget(ctx.caller, id);
  });
}

async function agreed(
  handler: UrlHandler,
  request: UrlRequest,
  ctx: Context,
  refused: () => void,
): Promise<JsonObject> {
  let action: unknown;
  try {
    const result: unknown = await resultOf(handler(request, ctx), ctx, 'the url was left without an answer');
    action = isObject(result) ? result.action : undefined;
  } finally {
    if (action !== 'accept') refused();
  }
  // Consent is all that is told: what the person does there is between them and the server.
  if (action === 'accept' || action === 'decline' || action === 'cancel') return { action };
  throw new McpError('HANDLER_FAILED', `the answer to the url is none: its action is ${shown(action)}`);
}

function malformed(what: string): McpError {
  return new McpError('PARAMS_INVALID', `elicitation/create: ${what}`);
}
