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

/** Parameters of {@link elicit}. */
export interface ElicitParams<T> {
  /** For the person: why it is needed. */
  readonly message: string;
  /** A {@link form}, or a flat object schema of any library that has the JSON Schema companion of Standard Schema. */
  readonly schema: StandardSchema<unknown, T>;
}

/**
 * Asks the client's user to fill a flat form while a tool, prompt or resource is served; one request per key and run.
 *
 * Resolves also if the user declines or cancels. Accepted content is checked against the form and then by its schema. Rejects with
 * ASK_UNAVAILABLE if the client has no forms, ASK_SUSPENDED in a run that ends here because a later run gets the answer
 * (do not catch it), INVALID_ANSWER for content that does not fit, with CANCELLED or TIMEOUT otherwise, and with TypeError
 * for a form that is not flat, has an invalid default, or asks for a secret: use `elicitUrl` for secrets.
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
 * service. One request per key and run. `accept` means only that they agreed to open it; wait for what they do there, or ask again
 * under another key. Verify that the person who opens the page is the user of this client.
 *
 * Rejects with ASK_UNAVAILABLE if the client opens no URLs (a bare `elicitation: {}` does not), ASK_SUSPENDED in a run that
 * ends here because a later run gets the answer (do not catch it), INVALID_ANSWER for an invalid answer, with CANCELLED or
 * TIMEOUT otherwise, and with TypeError for a URL that is not `http:` or `https:`.
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
  // The handler handles a rejection itself; here it only means that no notification is sent.
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
