/** Fetch standard, section 2.2.3. */
export const redirectStatuses: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);

/** Returns where a redirect leads, unless it changes the method or names no URL. */
export function redirectTarget({ status, headers }: Response, from: URL, method: string): URL | undefined {
  const keepsMethod = status === 307 || status === 308 || (method === 'GET' && redirectStatuses.has(status));
  const location = headers.get('location');
  return keepsMethod && location !== null && URL.canParse(location, from)
    ? new URL(location, from)
    : undefined;
}
