import { readFile } from 'node:fs/promises';
import { type ParseError, parse, printParseErrorCode } from 'jsonc-parser';
import { didYouMean } from '@rxmcp/app-serving/nearest';
import { ConfigError } from './config-error.js';
import type { HostFile } from './hosts.js';

/** An entry of a config file: what a host writes of one server. */
export interface ConfigEntry {
  readonly name: string;
  readonly from: HostFile;
  readonly value: unknown;
}

/** Whether a value is a JSON object. */
export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/**
 * Reads the servers of a config file: JSON, also with comments and trailing commas. Resolves with undefined where there is no file.
 * Rejects with a ConfigError.
 */
export async function readConfig(from: HostFile): Promise<readonly ConfigEntry[] | undefined> {
  const text = await contentOf(from.file);
  if (text === undefined) return undefined;
  const config = parsed(text.replace(/^\uFEFF/, ''), from.file);
  return sectionsOf(config, from).flatMap((section) =>
    Object.entries(section).map(([name, value]) => ({ name, from, value })),
  );
}

async function contentOf(file: string): Promise<string | undefined> {
  try {
    return await readFile(file, 'utf8');
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'ENOTDIR') return undefined;
    throw new ConfigError(`${file} cannot be read: ${code ?? String(cause)}`, { cause });
  }
}

function parsed(text: string, file: string): unknown {
  const errors: ParseError[] = [];
  const value: unknown = parse(text, errors, { allowTrailingComma: true });
  const [first] = errors;
  if (first === undefined) return value;
  const lines = text.slice(0, first.offset).split(/\r\n|\r|\n/);
  const column = (lines.at(-1)?.length ?? 0) + 1;
  const what = printParseErrorCode(first.error)
    .replace(/([a-z])([A-Z])/g, '$1 $2')
    .toLowerCase();
  throw new ConfigError(`${file}:${lines.length}:${column} is not valid JSON: ${what}. Correct the file`);
}

/**
 * The objects of a config that have servers, the most specific first: `servers` of VS Code, `mcp` of OpenCode, `mcpServers` of all
 * others, which Claude Code also has for each project.
 */
function sectionsOf(config: unknown, { host, file, folder }: HostFile): Readonly<Record<string, unknown>>[] {
  if (!isObject(config)) throw new ConfigError(`${file} is not a JSON object with "mcpServers" or "servers"`);
  const { mcpServers, servers, mcp, projects } = config;
  const project = isObject(projects) && Object.hasOwn(projects, folder) ? projects[folder] : undefined;
  const sections = [isObject(project) ? project['mcpServers'] : undefined, mcpServers, servers, mcp].filter(
    isObject,
  );
  // A host also has files without a server.
  if (sections.length === 0 && host === 'rxmcp') {
    const hints = Object.keys(config).map((key) => didYouMean(key, ['mcpServers', 'servers']));
    throw new ConfigError(
      `${file} has no object "mcpServers" or "servers"${hints.find((hint) => hint !== '') ?? ''}`,
    );
  }
  return sections;
}
