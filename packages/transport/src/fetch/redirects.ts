import { hasCredentials } from '../credentials/exposed-credentials.js';

/** Fetch standard, section 2.2.3. */
export const redirectStatuses: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);

/** Returns where a redirect leads, unless it changes the method, or names no URL or one with credentials. */
export function redirectTarget({ status, headers }: Response, from: URL, method: string): URL | undefined {
  const keepsMethod = status === 307 || status === 308 || (method === 'GET' && redirectStatuses.has(status));
  const location = headers.get('location');
  if (!keepsMethod || location === null || !URL.canParse(location, from)) return undefined;
  const to = new URL(location, from);
  return hasCredentials(to) ? undefined : to;
}
