import { rejectUnknownOptions } from '@rxmcp/transport/internal';
import type { JsonObject } from '@rxmcp/jsonrpc';
import { isThenable } from '../base/checks.js';
import { RxmcpError } from '../base/errors.js';
import type { Caller, Context } from '../contract/context.js';
import type { Offer, HandlerResult } from '../contract/offer.js';
import type { InferOutput, SchemaResult, StandardSchema } from '../contract/standard-schema.js';
import { formatIssues } from '../contract/standard-schema.js';
import { deferResult } from '../output/map-handler-result.js';
import { assertStandardSchema } from '../schema/json-schema.js';
import { defineAnsweredOffer } from '../client/asks/answer-offers.js';

/** Configures {@link offerMethod}. */
export interface OfferMethodOptions<S extends StandardSchema> {
  /** Validates the parameters. The handler receives what the schema returns. */
  readonly params?: S;
}

const knownOptions: Record<keyof OfferMethodOptions<StandardSchema>, true> = {
  params: true,
};

/**
 * Offers a custom method, on a server or a client. Parameters that do not match the schema are rejected with
 * -32602. Declare the method under `experimental` or `extensions` if peers must know of it in advance.
 * @param method - the name of the method, such as `acme/double`
 * @param handler - receives the parameters as the schema returns them, and the {@link Context} of the request
 * @throws TypeError for a schema that is not a Standard Schema
 */
export function offerMethod<S extends StandardSchema = StandardSchema<unknown, JsonObject>>(
  method: string,
  options: OfferMethodOptions<S>,
  handler: (params: InferOutput<S>, ctx: Context) => HandlerResult<JsonObject>,
): Offer {
  const { params: schema } = options;
  rejectUnknownOptions(`offerMethod "${method}"`, options, knownOptions, {
    input: 'params',
    schema: 'params',
  });
  if (schema !== undefined) assertStandardSchema(`the params of "${method}"`, schema);
  return defineAnsweredOffer({
    name: method,
    side: 'both',
    capabilities: {},
    methods: [
      {
        method,
        handle(params, ctx) {
          if (schema === undefined) return handler(params as InferOutput<S>, ctx);
          const outcome = schema['~standard'].validate(params);
          const run = (settled: SchemaResult<unknown>): HandlerResult<JsonObject> =>
            handler(valid(method, settled), ctx);
          return isThenable(outcome) ? deferResult(outcome, run) : run(outcome);
        },
      },
    ],
  });
}

/**
 * Offers a handler of a custom notification, on a server or a client. The peer sends it with `remote.notify` or
 * `ctx.notify`. A notification has no response: an error that the handler throws, or rejects with, becomes the fault
 * HANDLER_FAILED. While a promise of the handler is pending, the sender is charged. Beyond its share of the memory, notifications are
 * dropped with the fault NOTIFICATION_DROPPED.
 * @param method - the name of the notification, such as `acme/asked`
 * @param handler - receives the parameters, unchecked, and the sender
 */
export function offerNotification(
  method: string,
  handler: (params: JsonObject, from: Caller) => unknown,
): Offer {
  return defineAnsweredOffer({
    name: method,
    side: 'both',
    capabilities: {},
    notifications: [{ method, handle: handler }],
  });
}

function valid<T>(method: string, outcome: SchemaResult<unknown>): T {
  if (outcome.issues !== undefined)
    throw new RxmcpError('INVALID_PARAMS', `"${method}": ${formatIssues(outcome.issues)}`);
  return outcome.value as T;
}
