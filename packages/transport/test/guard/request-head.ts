import type { RequestHead } from '../../src/guard.js';

/** A request as a guard sees it. */
export function head(
  headers: Readonly<Record<string, string | readonly string[]>>,
  method = 'POST',
): RequestHead {
  return {
    method,
    target: '/mcp',
    secure: false,
    headerValues(name) {
      const value = headers[name] ?? [];
      return typeof value === 'string' ? [value] : value;
    },
  };
}
