import { type JsonObject, type Offer, RxmcpError } from '@rxmcp/core';
import { defineOffer, describeValue } from '@rxmcp/core/internal';
import { Completions, openUrl } from './open-url.js';
import { fillForm } from './fill-form.js';
import type { ElicitationHandler, ElicitUrlHandler } from './types.js';

/** The handlers of a client; a mode without a handler is not declared. */
export interface ElicitationHandlers {
  readonly form?: ElicitationHandler;
  readonly url?: ElicitUrlHandler;
}

/**
 * Offers elicitation: servers may show the client's user forms, URLs to open, or both. A single function handles forms.
 *
 * A server receives -32602 for a mode that is not offered, for a form that is not flat and for a URL that is not `http:` or `https:`.
 * Missing fields of accepted content get their defaults. Content that does not fit its form is not sent: the server receives
 * -32603, and the client reports the fault HANDLER_FAILED.
 * @throws TypeError without a handler
 * @see Spec 2026-07-28 client/elicitation
 */
export function offerElicitation(handlers: ElicitationHandler | ElicitationHandlers): Offer {
  const { form, url } = typeof handlers === 'function' ? { form: handlers } : (handlers ?? {});
  if (!isHandler(form) || !isHandler(url) || (form ?? url) === undefined)
    throw new TypeError('`offerElicitation` needs a function that shows a form, or { form, url }');
  const completions = new Completions();
  return defineOffer({
    name: 'elicitation',
    side: 'client',
    capabilities: {
      elicitation: { ...(form === undefined ? {} : { form: {} }), ...(url === undefined ? {} : { url: {} }) },
    },
    methods: [
      {
        method: 'elicitation/create',
        handle(params, ctx) {
          const { mode = 'form' } = params;
          if (mode === 'form' && form !== undefined) return fillForm(form, params, ctx);
          if (mode === 'url' && url !== undefined) return openUrl(url, params, ctx, completions);
          throw new RxmcpError(
            'INVALID_PARAMS',
            `elicitation/create: this client does not offer the mode ${describeValue(mode)}`,
          );
        },
      },
    ],
    notifications: url === undefined ? [] : [heard(completions)],
  });
}

function heard(completions: Completions) {
  return {
    method: 'notifications/elicitation/complete',
    handle: ({ elicitationId }: JsonObject, from: Parameters<Completions['complete']>[0]): void =>
      completions.complete(from, elicitationId),
  };
}

function isHandler(handler: unknown): boolean {
  return handler === undefined || typeof handler === 'function';
}
