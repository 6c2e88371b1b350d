import { isObject } from '@rxmcp/core/internal';
import { AuthorizationResponseError } from 'oauth4webapi';
import { AuthError, quote } from './errors.js';

/** Parameters of a request that no error may repeat, those that it had. */
export type Secrets = readonly (string | undefined)[];

/** What an authorization server answers instead of what was asked for. RFC 6749 section 5.2. */
export class Rejection extends Error {
  /** The error, empty where it is not one of a standard: a log shows it. */
  readonly error: string;
  readonly #text: string;

  constructor(error: string, description: unknown) {
    super('the authorization server rejected a request');
    this.error = /^\w{1,99}$/.test(error) ? error : '';
    this.#text = typeof description === 'string' ? `${error}: ${description}` : error;
  }

  /** The error and its description, to be shown: they may repeat the secrets of the request. */
  said(secrets: Secrets): string {
    const given = secrets.filter((secret) => secret !== undefined && secret !== '') as string[];
    const encoded = given.map((secret) => new URLSearchParams([['', secret]]).toString().slice(1));
    const text = [...given, ...encoded].reduce((rest, secret) => rest.replaceAll(secret, '…'), this.#text);
    return quote(text.slice(0, 400).replace(/(?=\w*\d)[\w~+=-]{20,}/g, '…'));
  }
}

/** Whether an authorization server does not know the client, or no longer. */
export function isUnknownClient(error: unknown): boolean {
  const { cause } = Object(error) as { cause?: unknown };
  return cause instanceof Rejection && /^(?:invalid|unauthorized)_client$/.test(cause.error);
}

/** The shortest part of a text that is safe to show of a failed request. */
export function reasonOf(cause: unknown, secrets: Secrets = []): string {
  if (cause instanceof Rejection) return cause.said(secrets);
  if (cause instanceof AuthorizationResponseError)
    return new Rejection(cause.error, cause.error_description).said(secrets);
  return cause instanceof AuthError ? cause.message : 'a response that OAuth does not allow';
}

/** The errors of the library hold the response, with tokens and codes, which a log of the error would show; an error of JSON quotes it. */
export function withoutSecrets(cause: unknown): unknown {
  const code = (cause as { readonly code?: unknown } | null)?.code;
  const isOfLibrary = typeof code === 'string' && code.startsWith('OAUTH_');
  if (cause instanceof SyntaxError) return new Error('the response is not JSON');
  return isOfLibrary ? new Error((cause as Error).message) : cause;
}

/** Rejects where a response is not the expected one. */
export async function accepted(response: Response): Promise<Response> {
  if (response.ok) return response;
  const body: unknown = await response.json().catch(() => undefined);
  const { error, error_description: description } = isObject(body) ? body : {};
  throw typeof error === 'string'
    ? new Rejection(error, description)
    : new Error(`status ${String(response.status)}`);
}
