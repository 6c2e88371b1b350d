import { type Context, type StandardSchema, RxmcpError } from '@rxmcp/core';
import {
  askArguments,
  sendAsk,
  reserveAskKey,
  assertStandardSchema,
  formatIssues,
  ignoreRejection,
  describeValue,
  rejectRenamedOptions,
} from '@rxmcp/core/internal';
import { checkDefaults } from './defaults.js';
import { secretFields } from './fill-form.js';
import { flatSchema } from './form-schema.js';
import type { ElicitResult, FormContent, ElicitUrlResult } from './types.js';
import { pickFormContent, validateContent } from './validate-form.js';
import { parseWebUrl } from './web-url.js';

/** Parameters of {@link elicit}. */
export interface ElicitParams<T> {
  /** For the person: why it is needed. */
  readonly message: string;
  /** A {@link form}, or a flat object schema of any library that has Standard JSON Schema. */
  readonly schema: StandardSchema<unknown, T>;
}

/**
 * Asks the client's user to fill a flat form while a tool, prompt or resource is served.
 *
 * The key identifies the ask in all runs of the handler. The same key with the same parameters asks again: a new question, at most
 * 64 in one run, so that a loop can ask until the answer is valid. Leave the key out where each run makes its asks in the same
 * order; asks without a key are numbered by method. Asks whose order differs between runs, such as concurrent ones, need keys.
 *
 * Resolves also if the user declines or cancels. Accepted content is checked against the form and then by its schema. Rejects with
 * ASK_UNAVAILABLE if the client has no forms, ASK_SUSPENDED in a run that ends here because a later run gets the answer
 * (do not catch it), INVALID_ANSWER for content that does not fit, with CANCELLED or TIMEOUT otherwise, and with TypeError
 * for a key that is used twice in one run with other parameters, and for a form that is not flat, has an invalid default, or asks for a secret: use `elicitUrl` for secrets.
 * @see Spec 2026-07-28 client/elicitation
 */
export function elicit<T>(ctx: Context, params: ElicitParams<T>): Promise<ElicitResult<T>>;
/** Asks under a key. */
export function elicit<T>(
  ctx: Context,
  key: string | undefined,
  params: ElicitParams<T>,
): Promise<ElicitResult<T>>;
export function elicit<T>(
  ctx: Context,
  keyOrParams: string | ElicitParams<T> | undefined,
  params?: ElicitParams<T>,
): Promise<ElicitResult<T>> {
  return ignoreRejection(ask(ctx, ...askArguments(keyOrParams, params)));
}

async function ask<T>(
  ctx: Context,
  key: string | undefined,
  { message, schema }: ElicitParams<T>,
): Promise<ElicitResult<T>> {
  const where = callText('elicit', key);
  if (typeof message !== 'string') throw new TypeError(`${where}: "message" must be a string`);
  assertStandardSchema(where, schema);
  const { validate, jsonSchema } = schema['~standard'];
  if (jsonSchema === undefined) {
    throw new TypeError(
      `${where}: the schema is not a Standard JSON Schema: it has no "~standard".jsonSchema`,
    );
  }
  const requestedSchema = checkDefaults(flatSchema(jsonSchema.input({ target: 'draft-2020-12' })));
  const [secret] = secretFields(requestedSchema);
  if (secret !== undefined) {
    throw new TypeError(
      `${where}: the field "${secret}" asks for a secret, which must not pass the client: use elicitUrl`,
    );
  }
  const result = await sendAsk(ctx, key, {
    method,
    params: { message, requestedSchema },
    // No mode means a form: older clients know nothing else.
    needs: { elicitation: { form: {} } },
  });
  const { action, content = {} } = result;
  if (action === 'decline' || action === 'cancel') return { action };
  if (action !== 'accept') throw invalid(key, `"action" is ${describeValue(action)}`);
  const issues = validateContent(requestedSchema, content);
  if (issues.length > 0) throw invalid(key, formatIssues(issues));
  const checked = await validate(pickFormContent(requestedSchema, content as FormContent));
  if (checked.issues !== undefined) throw invalid(key, formatIssues(checked.issues));
  return { action, content: checked.value };
}

const method = 'elicitation/create';

function callText(name: string, key: string | undefined): string {
  return key === undefined ? `${name}(ctx)` : `${name}(ctx, "${key}")`;
}

function invalid(key: string | undefined, what: string): RxmcpError {
  return new RxmcpError('INVALID_ANSWER', `the answer to "${key ?? method}" is invalid: ${what}`, {
    outcome: 'answered',
  });
}

/** Parameters of {@link elicitUrl}. */
export interface ElicitUrlParams {
  /** For the person: why it is needed. */
  readonly message: string;
  /**
   * `https:`, or `http:` during development; without a user name, password, secret or personal data, and useless to any other
   * person who opens it. A function receives an id for this elicitation, the same in all rounds, to recognise it.
   */
  readonly url: string | URL | ((id: string) => string | URL);
  /**
   * Resolves once the person has finished there. Clients of 2025-11-25 are then notified, as long as this call lasts. A function
   * receives the id of the elicitation.
   */
  readonly completed?: PromiseLike<unknown> | ((id: string) => PromiseLike<unknown>);
}

/**
 * Asks the client's user to open a page, for data that must not pass the client: passwords, keys, payments, consent at another
 * service. The key works as that of {@link elicit}: the same key asks again, with a new id. `accept` means only that they agreed to
 * open it; wait for what they do there, or ask again. Verify that the person who opens the page is the user of this client.
 *
 * Rejects with ASK_UNAVAILABLE if the client opens no URLs (a bare `elicitation: {}` does not), ASK_SUSPENDED in a run that
 * ends here because a later run gets the answer (do not catch it), INVALID_ANSWER for an invalid answer, with CANCELLED, TIMEOUT or
 * RpcError otherwise, and with TypeError for a URL that is not `http:` or `https:`, and for a key that is used twice in one run
 * with other parameters.
 * @see Spec 2026-07-28 client/elicitation#url-mode-elicitation-requests
 */
export function elicitUrl(ctx: Context, params: ElicitUrlParams): Promise<ElicitUrlResult>;
/** Asks under a key. */
export function elicitUrl(
  ctx: Context,
  key: string | undefined,
  params: ElicitUrlParams,
): Promise<ElicitUrlResult>;
export function elicitUrl(
  ctx: Context,
  keyOrParams: string | ElicitUrlParams | undefined,
  params?: ElicitUrlParams,
): Promise<ElicitUrlResult> {
  return ignoreRejection(askUrl(ctx, ...askArguments(keyOrParams, params)));
}

async function askUrl(
  ctx: Context,
  key: string | undefined,
  params: ElicitUrlParams,
): Promise<ElicitUrlResult> {
  rejectRenamedOptions('elicitUrl', params, { over: 'completed' });
  const { message, url, completed } = params;
  const where = callText('elicitUrl', key);
  if (typeof message !== 'string') throw new TypeError(`${where}: "message" must be a string`);
  const isNamed = typeof url === 'function' || typeof completed === 'function';
  // The page has its id in it, which differs from one repeat to the next: the function stands for the page.
  const compared = typeof url === 'function' ? 'a function' : String(url);
  const taken = await reserveAskKey(ctx, key, { method, params: { message, url: compared } });
  const id = isNamed ? await ctx.step(`id of ${taken.name}`, () => globalThis.crypto.randomUUID()) : '';
  const page = parseWebUrl(typeof url === 'function' ? url(id) : url);
  if (typeof page === 'string') throw new TypeError(`${where}: "url" ${page}`);
  if (page.username !== '' || page.password !== '')
    throw new TypeError(`${where}: "url" carries credentials, which the client would see`);
  const done = typeof completed === 'function' ? completed(id) : completed;
  // The handler handles a rejection itself; here it only means that no notification is sent.
  done?.then(undefined, () => undefined);
  const { action } = await sendAsk(ctx, taken, {
    method,
    params: { mode: 'url', message, url: page.href },
    needs: { elicitation: { url: {} } },
    ...(isNamed ? { id } : {}),
    ...(done === undefined ? {} : { completed: done }),
  });
  if (action === 'accept' || action === 'decline' || action === 'cancel') return { action };
  throw invalid(key, `"action" is ${describeValue(action)}`);
}
