import type { JsonObject } from './messages.js';

/** The parameter by which these requests name what they are about. MCP 2026-07-28, basic, transports, streamable HTTP. */
export const namedBy: ReadonlyMap<string, string> = new Map([
  ['tools/call', 'name'],
  ['prompts/get', 'name'],
  ['resources/read', 'uri'],
]);

/** What a request names, see {@link namedBy}; undefined where it names nothing. */
export function nameOf(method: string, params: JsonObject | undefined): string | undefined {
  const member = namedBy.get(method);
  const name = member === undefined ? undefined : params?.[member];
  return typeof name === 'string' ? name : undefined;
}
