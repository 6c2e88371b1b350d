import type { Context, StandardSchema } from '@rxmcp/core';
import { McpError } from '@rxmcp/core';
import { askOf, checkSchema, issuesText, mayBeLeft, shown } from '@rxmcp/core/internal';
import { askedContent, contentIssues } from './content-issues.js';
import { checkDefaults } from './defaults.js';
import { flatSchema } from './flat-schema.js';
import { secretFields } from './secrets.js';
import type { ElicitResult, FormContent } from './types.js';

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
 * (let it pass), ANSWER_INVALID for content that does not fit, CANCELLED, TIMEOUT or RpcError otherwise, and TypeError for
 * a form that is not flat, has a default that does not fit, or asks for a secret: that is what `elicitUrl` is for.
 * Spec 2026-07-28 client/elicitation.
 */
export function elicit<T>(ctx: Context, key: string, params: ElicitParams<T>): Promise<ElicitResult<T>> {
  return mayBeLeft(ask(ctx, key, params));
}

async function ask<T>(
  ctx: Context,
  key: string,
  { message, schema }: ElicitParams<T>,
): Promise<ElicitResult<T>> {
  if (typeof message !== 'string') throw new TypeError(`elicit(ctx, "${key}"): "message" must be a string`);
  checkSchema(`elicit(ctx, "${key}")`, schema);
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
  const result = await askOf(ctx, key, {
    method: 'elicitation/create',
    params: { message, requestedSchema },
    // No mode means a form: older clients know nothing else.
    needs: { elicitation: { form: {} } },
  });
  const { action, content = {} } = result;
  if (action === 'decline' || action === 'cancel') return { action };
  if (action !== 'accept') throw invalid(key, `"action" is ${shown(action)}`);
  const issues = contentIssues(requestedSchema, content);
  if (issues.length > 0) throw invalid(key, issuesText(issues));
  const checked = await validate(askedContent(requestedSchema, content as FormContent));
  if (checked.issues !== undefined) throw invalid(key, issuesText(checked.issues));
  return { action, content: checked.value };
}

function invalid(key: string, what: string): McpError {
  return new McpError('ANSWER_INVALID', `the answer to "${key}" is invalid: ${what}`, {
    outcome: 'answered',
  });
}
