/** How a host starts a server: one member of `mcpServers`. */
export interface ServerEntry {
  readonly command: string;
  readonly args: readonly string[];
}

/** Returns a config of a host, or what is in one already, with an entry for a server. Other members stay. */
export function withServer(
  name: string,
  entry: ServerEntry,
  config: Readonly<Record<string, unknown>> = {},
): Record<string, unknown> {
  const servers = config['mcpServers'] ?? {};
  if (!isObject(servers)) throw new TypeError('"mcpServers" is not an object');
  const before = Object.hasOwn(servers, name) ? servers[name] : {};
  if (!isObject(before)) throw new TypeError(`"${name}" in "mcpServers" is not an object`);
  return { ...config, mcpServers: { ...servers, [name]: { ...before, ...entry } } };
}

/** Returns the text of a config. */
export function textOfConfig(config: object): string {
  return `${JSON.stringify(config, undefined, 2)}\n`;
}

/** Returns whether a value is a JSON object. */
export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
