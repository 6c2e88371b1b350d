import type { Context, JsonObject } from '@rxmcp/core';
import { McpError } from '@rxmcp/core';
import { isObject, issuesText, resultOf, shown } from '@rxmcp/core/internal';
import { askedContent, contentIssues } from './content-issues.js';
import { fittingDefaults, withDefaults } from './defaults.js';
import { flatSchema } from './flat-schema.js';
import type { ElicitationHandler } from './types.js';
import { secretFields } from './secrets.js';
import type { ElicitRequest, ElicitWarning, FilledForm, FormSchema } from './types.js';

/** Has a form filled. Throws PARAMS_INVALID for a malformed one; rejects with HANDLER_FAILED for an answer that does not fit. */
export function fillForm(handler: ElicitationHandler, params: JsonObject, ctx: Context): Promise<JsonObject> {
  return filled(handler, readForm(params), ctx);
}

async function filled(
  handler: ElicitationHandler,
  request: ElicitRequest,
  ctx: Context,
): Promise<JsonObject> {
  const result: unknown = await resultOf(handler(request, ctx), ctx, 'the form ended without an answer');
  const { action, content } = isObject(result) ? result : {};
  if (action === 'decline' || action === 'cancel') return { action };
  if (action !== 'accept') throw unfit(`its action is ${shown(action)}`);
  if (!isObject(content)) throw unfit('its content must be an object');
  const { requestedSchema } = request;
  const complete = withDefaults(requestedSchema, content as FilledForm);
  const issues = contentIssues(requestedSchema, complete);
  if (issues.length > 0) throw unfit(issuesText(issues));
  return { action, content: askedContent(requestedSchema, complete) };
}

function readForm(params: JsonObject): ElicitRequest {
  const { _meta: _ours, mode: _form, message, requestedSchema, ...rest } = params;
  if (typeof message !== 'string') throw malformed('"message" must be a string');
  if (!isObject(requestedSchema)) throw malformed('"requestedSchema" must be an object');
  let form: FormSchema;
  try {
    form = fittingDefaults(flatSchema(requestedSchema));
  } catch (error) {
    throw malformed((error as TypeError).message);
  }
  const warnings = secretFields(form).map((name): ElicitWarning => ({
    code: 'ASKS_SECRET',
    message: `the field "${name}" asks for a secret, which no server may ask for in a form`,
  }));
  return { ...rest, message, requestedSchema: form, warnings };
}

function malformed(what: string): McpError {
  return new McpError('PARAMS_INVALID', `elicitation/create: ${what}`);
}

function unfit(what: string): McpError {
  return new McpError('HANDLER_FAILED', `the answer to the form does not fit it: ${what}`);
}
