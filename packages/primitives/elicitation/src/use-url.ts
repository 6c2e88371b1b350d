import type { Context } from '@rxmcp/core';
import { McpError } from '@rxmcp/core';
import { askOf, mayBeLeft, shown } from '@rxmcp/core/internal';
import type { UrlResult } from './types.js';
import { webUrl } from './web-url.js';

/** A page to send a person to. */
export interface ElicitUrlParams {
  /** Says why it is needed. */
  readonly message: string;
  /**
   * `https:`, or `http:` while developing; without a user name or password, without anything secret or personal, and of no use
   * to anybody else who opens it. A function gets an id for this question, the same in all rounds, to find it again by.
   */
  readonly url: string | URL | ((id: string) => string | URL);
  /**
   * Resolves once the person is done there: clients of 2025-11-25 are then told, as long as this call lasts. A function gets
   * the id of the question.
   */
  readonly over?: PromiseLike<unknown> | ((id: string) => PromiseLike<unknown>);
}

/**
 * Asks the client's user to open a page, for what must not pass the client: passwords, keys, payments, another service's
 * consent. One wire ask per key and run. `accept` means that they agreed to open it, nothing more; wait for what they do
 * there, or ask again under another key. Make sure that who opens the page is who is being served here.
 *
 * Rejects with ASK_UNAVAILABLE where the client opens no urls (a bare `elicitation: {}` does not), ASK_SUSPENDED in a run that
 * ends here because a later one gets the answer (let it pass), ANSWER_INVALID for a broken answer, CANCELLED, TIMEOUT or
 * RpcError otherwise, and TypeError for what is no url of the web.
 * Spec 2026-07-28 client/elicitation#url-mode-elicitation-requests.
 */
export function elicitUrl(ctx: Context, key: string, params: ElicitUrlParams): Promise<UrlResult> {
  return mayBeLeft(ask(ctx, key, params));
}

async function ask(ctx: Context, key: string, params: ElicitUrlParams): Promise<UrlResult> {
  const { message, url, over } = params;
  const where = `elicitUrl(ctx, "${key}")`;
  if (typeof message !== 'string') throw new TypeError(`${where}: "message" must be a string`);
  const isNamed = typeof url === 'function' || typeof over === 'function';
  const id = isNamed ? await ctx.once(`id of ${key}`, () => globalThis.crypto.randomUUID()) : '';
  const page = webUrl(typeof url === 'function' ? url(id) : url);
  if (typeof page === 'string') throw new TypeError(`${where}: "url" ${page}`);
  if (page.username !== '' || page.password !== '')
    throw new TypeError(`${where}: "url" carries credentials, which the client would see`);
  const done = typeof over === 'function' ? over(id) : over;
  // Whether it is ever done is for the handler to see, not for whoever tells of it.
  done?.then(undefined, () => undefined);
  const { action } = await askOf(ctx, key, {
    method: 'elicitation/create',
    params: { mode: 'url', message, url: page.href },
    needs: { elicitation: { url: {} } },
    ...(isNamed ? { id } : {}),
    ...(done === undefined ? {} : { over: done }),
  });
  if (action === 'accept' || action === 'decline' || action === 'cancel') return { action };
  throw new McpError('ANSWER_INVALID', `the answer to "${key}" is invalid: "action" is ${shown(action)}`, {
    outcome: 'answered',
  });
}
