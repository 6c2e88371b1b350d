import { type Context, type JsonObject, RxmcpError } from '@rxmcp/core';
import { isObject, formatIssues, resultPromise, describeValue } from '@rxmcp/core/internal';
import { dropInvalidDefaults, withDefaults } from './defaults.js';
import { flatSchema } from './form-schema.js';
import type { ElicitationHandler, ElicitRequest, ElicitWarning, FilledForm, FormSchema } from './types.js';
import { pickFormContent, fieldChoices, validateContent } from './validate-form.js';

/** Runs the form handler. Throws INVALID_PARAMS for a malformed form; rejects with HANDLER_FAILED for an answer that does not fit. */
export function fillForm(handler: ElicitationHandler, params: JsonObject, ctx: Context): Promise<JsonObject> {
  return filled(handler, readForm(params), ctx);
}

async function filled(
  handler: ElicitationHandler,
  request: ElicitRequest,
  ctx: Context,
): Promise<JsonObject> {
  const result: unknown = await resultPromise(handler(request, ctx), ctx, 'the form ended without an answer');
  const { action, content } = isObject(result) ? result : {};
  if (action === 'decline' || action === 'cancel') return { action };
  if (action !== 'accept') throw unfit(`its action is ${describeValue(action)}`);
  if (!isObject(content)) throw unfit('its content must be an object');
  const { requestedSchema } = request;
  const complete = withDefaults(requestedSchema, content as FilledForm);
  const issues = validateContent(requestedSchema, complete);
  if (issues.length > 0) throw unfit(formatIssues(issues));
  return { action, content: pickFormContent(requestedSchema, complete) };
}

function readForm(params: JsonObject): ElicitRequest {
  const { _meta: _ours, mode: _form, message, requestedSchema, ...rest } = params;
  if (typeof message !== 'string') throw malformed('"message" must be a string');
  if (!isObject(requestedSchema)) throw malformed('"requestedSchema" must be an object');
  let form: FormSchema;
  try {
    form = dropInvalidDefaults(flatSchema(requestedSchema));
  } catch (error) {
    throw malformed((error as TypeError).message);
  }
  const warnings = secretFields(form).map((name): ElicitWarning => ({
    code: 'ASKS_SECRET',
    message: `the field "${name}" asks for a secret, which no server may ask for in a form`,
  }));
  return { ...rest, message, requestedSchema: form, warnings };
}

function malformed(what: string): RxmcpError {
  return new RxmcpError('INVALID_PARAMS', `elicitation/create: ${what}`);
}

function unfit(what: string): RxmcpError {
  return new RxmcpError('HANDLER_FAILED', `the answer to the form does not fit it: ${what}`);
}

/**
 * Returns the fields of a form that ask for a secret, judged by names and titles. What a person types passes the client and maybe
 * a model, so no form may ask for secrets.
 * @see Spec 2026-07-28 client/elicitation#user-interaction-model
 */
export function secretFields(form: FormSchema): readonly string[] {
  return Object.entries(form.properties).flatMap(([name, field]) => {
    const isOpen = field.type === 'string' && fieldChoices(field) === undefined;
    return isOpen && (isSecret(name) || isSecret(field.title ?? '')) ? [name] : [];
  });
}

// Words that mean a secret at the end of a name. "token" and "secret" alone have too many other meanings.
const words =
  /(?:password|passwd|passphrase|passcode|api ?key|private ?key|secret ?key|access ?key|access ?token|auth ?token|refresh ?token|bearer ?token|client ?secret|credit ?card(?: ?number)?|card ?number|cvv|cvc)s?$/;

function isSecret(name: string): boolean {
  const spaced = name.slice(0, 200).replace(/(?<=[a-z])(?=[A-Z])|[^A-Za-z0-9]+/g, ' ');
  return words.test(spaced.trim().toLowerCase());
}
