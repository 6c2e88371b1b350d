import type { JsonObject } from '@rxmcp/jsonrpc';
import type { Caller, Context } from './context.js';
import { McpError } from './errors.js';
import type { Offer, Output } from './offer.js';
import { defineOffer } from './offer.js';
import type { InferOutput, StandardSchema } from './standard-schema.js';
import { issuesText } from './standard-schema.js';

/** Options of a method of one's own. */
export interface MethodOptions<S extends StandardSchema> {
  /** Checks the parameters; what it gives out is what the handler gets. */
  readonly params?: S;
}

/**
 * Offers a method that no revision knows, on either side. Parameters that fail the schema are answered with -32602.
 * Announce it under `experimental` or `extensions` where peers have to know beforehand.
 */
export function offerMethod<S extends StandardSchema = StandardSchema<unknown, JsonObject>>(
  method: string,
  options: MethodOptions<S>,
  handler: (params: InferOutput<S>, ctx: Context) => Output<JsonObject>,
): Offer {
  const { params: schema } = options;
  return defineOffer({
    name: method,
    side: 'both',
    capabilities: {},
    methods: [
      {
        method,
        handle(params, ctx) {
          if (schema === undefined) return handler(params as InferOutput<S>, ctx);
          const outcome = schema['~standard'].validate(params);
          if (outcome instanceof Promise)
            return outcome.then((later) => handler(valid(method, later), ctx)) as never;
          return handler(valid(method, outcome), ctx);
        },
      },
    ],
  });
}

/** Hears a notification that no revision knows, on either side. What the handler throws becomes a fault. */
export function offerNotification(
  method: string,
  handler: (params: JsonObject, from: Caller) => void,
): Offer {
  return defineOffer({
    name: method,
    side: 'both',
    capabilities: {},
    notifications: [{ method, handle: handler }],
  });
}

function valid<T>(
  method: string,
  outcome: { value?: unknown; issues?: readonly { message: string }[] | undefined },
): T {
  if (outcome.issues !== undefined)
    throw new McpError('PARAMS_INVALID', `"${method}": ${issuesText(outcome.issues)}`);
  return outcome.value as T;
}
