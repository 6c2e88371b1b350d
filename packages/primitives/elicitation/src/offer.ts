import type { Context, JsonObject, Offer, Output } from '@rxmcp/core';
import { McpError } from '@rxmcp/core';
import { defineOffer, isObject, issuesText, resultOf } from '@rxmcp/core/internal';
import { contentIssues } from './content-issues.js';
import { flatSchema } from './flat-schema.js';
import type { ElicitRequest, ElicitResult } from './types.js';

/** Shows a form to a person and says what came of it. */
export type ElicitationHandler = (request: ElicitRequest, ctx: Context) => Output<ElicitResult>;

/**
 * Offers to fill forms for the servers of a client.
 *
 * A server gets -32602 for a form that is not flat and for any other mode. Content that does not fit its form is not sent:
 * the server gets -32603 and the client the fault HANDLER_FAILED.
 * Spec 2026-07-28 client/elicitation.
 */
export function offerElicitation(handler: ElicitationHandler): Offer {
  if (typeof handler !== 'function')
    throw new TypeError('offerElicitation needs a function that shows a form');
  return defineOffer({
    name: 'elicitation',
    side: 'client',
    capabilities: { elicitation: { form: {} } },
    methods: [
      { method: 'elicitation/create', handle: (params, ctx) => fill(handler, readRequest(params), ctx) },
    ],
  });
}

async function fill(handler: ElicitationHandler, request: ElicitRequest, ctx: Context): Promise<JsonObject> {
  const result = await resultOf(handler(request, ctx), ctx, 'the form ended without an answer');
  const action: unknown = (result as Partial<ElicitResult> | undefined)?.action;
  if (action === 'decline' || action === 'cancel') return { action };
  if (action !== 'accept') throw unfit(`its action is ${JSON.stringify(action)}`);
  const { content } = result as { readonly content?: unknown };
  const issues = contentIssues(request.requestedSchema, content);
  if (issues.length > 0) throw unfit(issuesText(issues));
  return { action, content };
}

function readRequest(params: JsonObject): ElicitRequest {
  const { _meta: _ours, mode, message, requestedSchema, ...rest } = params;
  if (mode !== undefined && mode !== 'form')
    throw malformed(`this client fills forms, not ${JSON.stringify(mode)}`);
  if (typeof message !== 'string') throw malformed('"message" must be a string');
  if (!isObject(requestedSchema)) throw malformed('"requestedSchema" must be an object');
  try {
    return { ...rest, message, requestedSchema: flatSchema(requestedSchema) };
  } catch (error) {
    throw malformed((error as TypeError).message);
  }
}

function malformed(what: string): McpError {
  return new McpError('PARAMS_INVALID', `elicitation/create: ${what}`);
}

function unfit(what: string): McpError {
  return new McpError('HANDLER_FAILED', `the answer to the form does not fit it: ${what}`);
}
