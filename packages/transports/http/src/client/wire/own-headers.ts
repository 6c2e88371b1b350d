import { TransportError } from '@rxmcp/transport';
import { isExposed, nameOf } from './endpoint.js';
import type { HttpOptions } from '../options.js';

const credentials: ReadonlySet<string> = new Set([
  'authorization',
  'proxy-authorization',
  'cookie',
  'x-api-key',
]);

/**
 * The user's headers for one attempt. Rejects with DIAL_FAILED where they cannot be had, cannot be sent, or hold a
 * credential that would travel in the open. No error repeats a value.
 */
export async function ownHeaders(endpoint: URL, options: HttpOptions): Promise<Headers> {
  const { headers: given = {} } = options;
  const headers = new Headers();
  for (const [name, value] of Object.entries(typeof given === 'function' ? await asked(given) : given)) {
    try {
      headers.set(name, value);
    } catch {
      // The platform's own message repeats the value.
      throw refused(
        `The value of the header ${JSON.stringify(name)}, or its name, is none that HTTP can carry.`,
      );
    }
    const isSecret = credentials.has(name.toLowerCase());
    if (isSecret && isExposed(endpoint) && options.dangerouslyAllowInsecureCredentials !== true) {
      const where = `over plain HTTP to ${nameOf(endpoint)}`;
      throw refused(
        `The header ${JSON.stringify(name)} is not sent ${where}: use https, or "dangerouslyAllowInsecureCredentials".`,
      );
    }
  }
  return headers;
}

async function asked<T>(headers: () => T | Promise<T>): Promise<T> {
  try {
    return await headers();
  } catch (cause) {
    throw new TransportError('DIAL_FAILED', 'The function that gives the headers failed.', {
      cause,
      outcome: 'not-sent',
    });
  }
}

function refused(message: string): TransportError {
  return new TransportError('DIAL_FAILED', message, { outcome: 'not-sent' });
}
