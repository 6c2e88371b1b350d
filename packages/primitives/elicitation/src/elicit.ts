import type { Context, StandardSchema } from '@rxmcp/core';
import { RxmcpError } from '@rxmcp/core';
import {
  sendAsk,
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

/** What to ask a person for. */
export interface ElicitParams<T> {
  /** Says why it is needed. */
  readonly message: string;
  /** A {@link form}, or a flat object schema of any library that has the JSON Schema companion of Standard Schema. */
  readonly schema: StandardSchema<unknown, T>;
}

/**
 * Asks the client's user to fill a flat form while a tool, prompt or resource is served; one wire ask per key and run.
 *
 * Declined and cancelled are results. Accepted content is checked against the form and then by its schema. Rejects with
 * ASK_UNAVAILABLE where the client has no forms, ASK_SUSPENDED in a run that ends here because a later one gets the answer
 * (let it pass), INVALID_ANSWER for content that does not fit, CANCELLED, TIMEOUT or RpcError otherwise, and TypeError for
 * a form that is not flat, has a default that does not fit, or asks for a secret: that is what `elicitUrl` is for.
 * Spec 2026-07-28 client/elicitation.
 */
export function elicit<T>(ctx: Context, key: string, params: ElicitParams<T>): Promise<ElicitResult<T>> {
  return ignoreRejection(ask(ctx, key, params));
}

async function ask<T>(
  ctx: Context,
  key: string,
  { message, schema }: ElicitParams<T>,
): Promise<ElicitResult<T>> {
  if (typeof message !== 'string') throw new TypeError(`elicit(ctx, "${key}"): "message" must be a string`);
  assertStandardSchema(`elicit(ctx, "${key}")`, schema);
  const { validate, jsonSchema } = schema['~standard'];
  if (jsonSchema === undefined) {
    throw new TypeError(
      `elicit(ctx, "${key}"): the schema has no JSON Schema companion ("~standard".jsonSchema)`,
    );
  }
  const requestedSchema = checkDefaults(flatSchema(jsonSchema.input({ target: 'draft-2020-12' })));
  const [secret] = secretFields(requestedSchema);
  if (secret !== undefined) {
    throw new TypeError(
      `elicit(ctx, "${key}"): the field "${secret}" asks for a secret, which must not pass the client: use elicitUrl`,
    );
  }
  const result = await sendAsk(ctx, key, {
    method: 'elicitation/create',
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

function invalid(key: string, what: string): RxmcpError {
  return new RxmcpError('INVALID_ANSWER', `the answer to "${key}" is invalid: ${what}`, {
    outcome: 'answered',
  });
}

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
  readonly completed?: PromiseLike<unknown> | ((id: string) => PromiseLike<unknown>);
}

/**
 * Asks the client's user to open a page, for what must not pass the client: passwords, keys, payments, another service's
 * consent. One wire ask per key and run. `accept` means that they agreed to open it, nothing more; wait for what they do
 * there, or ask again under another key. Make sure that who opens the page is who is being served here.
 *
 * Rejects with ASK_UNAVAILABLE where the client opens no urls (a bare `elicitation: {}` does not), ASK_SUSPENDED in a run that
 * ends here because a later one gets the answer (let it pass), INVALID_ANSWER for a broken answer, CANCELLED, TIMEOUT or
 * RpcError otherwise, and TypeError for what is no url of the web.
 * Spec 2026-07-28 client/elicitation#url-mode-elicitation-requests.
 */
export function elicitUrl(ctx: Context, key: string, params: ElicitUrlParams): Promise<ElicitUrlResult> {
  return ignoreRejection(askUrl(ctx, key, params));
}

async function askUrl(ctx: Context, key: string, params: ElicitUrlParams): Promise<ElicitUrlResult> {
  rejectRenamedOptions('elicitUrl', params, { over: 'completed' });
  const { message, url, completed } = params;
  const where = `elicitUrl(ctx, "${key}")`;
  if (typeof message !== 'string') throw new TypeError(`${where}: "message" must be a string`);
  const isNamed = typeof url === 'function' || typeof completed === 'function';
  const id = isNamed ? await ctx.step(`id of ${key}`, () => globalThis.crypto.randomUUID()) : '';
  const page = parseWebUrl(typeof url === 'function' ? url(id) : url);
  if (typeof page === 'string') throw new TypeError(`${where}: "url" ${page}`);
  if (page.username !== '' || page.password !== '')
    throw new TypeError(`${where}: "url" carries credentials, which the client would see`);
  const done = typeof completed === 'function' ? completed(id) : completed;
  // Whether it is ever done is for the handler to see, not for whoever tells of it.
  done?.then(undefined, () => undefined);
  const { action } = await sendAsk(ctx, key, {
    method: 'elicitation/create',
    params: { mode: 'url', message, url: page.href },
    needs: { elicitation: { url: {} } },
    ...(isNamed ? { id } : {}),
    ...(done === undefined ? {} : { completed: done }),
  });
  if (action === 'accept' || action === 'decline' || action === 'cancel') return { action };
  throw new RxmcpError(
    'INVALID_ANSWER',
    `the answer to "${key}" is invalid: "action" is ${describeValue(action)}`,
    {
      outcome: 'answered',
    },
  );
}
