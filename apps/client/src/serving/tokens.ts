import type { Authenticator } from 'rxmcp/transport/guard';
import { UsageError } from '../usage-error.js';

/** Reads `RXMCP_TOKENS`: who may call over a network, by name. Throws a UsageError that contains no token. */
export async function tokensOf({
  RXMCP_TOKENS: text = '',
}: NodeJS.ProcessEnv): Promise<{ readonly authenticate?: Authenticator }> {
  if (text === '') return {};
  const tokens = parsed(text);
  // A client could not send a token with other characters in a header.
  const isUsable = (token: unknown): boolean =>
    typeof token === 'string' && /^[\x21-\x7e]{1,4096}$/.test(token);
  if (typeof tokens !== 'object' || tokens === null || !Object.values(tokens).every(isUsable))
    throw new UsageError('RXMCP_TOKENS must be a JSON object of names and tokens');
  const { bearer } = await import('rxmcp/transport/guard');
  return { authenticate: bearer(tokens as Readonly<Record<string, string>>) };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
