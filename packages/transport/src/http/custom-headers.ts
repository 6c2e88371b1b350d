import type { HeadersSource } from '../contract/contract.js';
import { notSentError, type TransportError } from '../contract/error.js';
import { findExposedCredential } from '../credentials/exposed-credentials.js';

/** The headers of the user, and where they may go. */
export interface CustomHeadersOptions {
  readonly headers?: HeadersSource;
  readonly dangerouslyAllowInsecureCredentials?: boolean;
}

/** How an endpoint is named to people: its query may hold a secret. */
export function describeEndpoint(endpoint: URL): string {
  return endpoint.origin + endpoint.pathname;
}

/**
 * The user's headers for one attempt. Rejects with DIAL_FAILED where they cannot be had, cannot be sent, or hold a
 * credential that would travel in the open. No error repeats a value.
 */
export async function customHeaders(
  endpoint: URL,
  options: CustomHeadersOptions,
  credentials: Readonly<Record<string, string>> = {},
): Promise<Headers> {
  const { headers: given = {} } = options;
  const headers = new Headers();
  const own = typeof given === 'function' ? await asked(given) : given;
  for (const [name, value] of [...Object.entries(own), ...Object.entries(credentials)]) {
    try {
      headers.set(name, value);
    } catch {
      // The platform's own message repeats the value.
      throw rejected(`the header ${JSON.stringify(name)} has a name or a value that HTTP does not allow`);
    }
  }
  const exposed = findExposedCredential(endpoint, headers.keys());
  if (exposed === undefined || options.dangerouslyAllowInsecureCredentials === true) return headers;
  const where = `over plain HTTP to ${describeEndpoint(endpoint)}`;
  throw rejected(
    `the header "${exposed}" is not sent ${where}: use https, or "dangerouslyAllowInsecureCredentials"`,
  );
}

async function asked<T>(headers: () => T | Promise<T>): Promise<T> {
  try {
    return await headers();
  } catch (cause) {
    // The message of the error may contain a token.
    const why = cause instanceof Error ? cause.name : typeof cause;
    throw rejected(`the function that returns the headers failed: ${why}`);
  }
}

function rejected(message: string): TransportError {
  return notSentError('DIAL_FAILED', message);
}
