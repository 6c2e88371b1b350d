import { homedir } from 'node:os';
import { posix, win32 } from 'node:path';

/** A file in which a host of MCP servers keeps its servers. */
export interface HostFile {
  /** The program that reads the file. */
  readonly host: string;
  readonly file: string;
  /** What `${workspaceFolder}` means in the file. */
  readonly folder: string;
}

/** The machine whose files are looked up. */
export interface Machine {
  readonly platform: NodeJS.Platform;
  readonly home: string;
  /** The current folder, which is the project. */
  readonly project: string;
  readonly env: NodeJS.ProcessEnv;
}

/** This machine. */
export function thisMachine(env: NodeJS.ProcessEnv): Machine {
  return { platform: process.platform, home: homedir(), project: process.cwd(), env };
}

/**
 * Returns the documented config files of hosts, those of the project first. Where two have a server of one name, the first is used.
 */
export function hostFiles({ platform, home, project, env }: Machine): readonly HostFile[] {
  const { join } = platform === 'win32' ? win32 : posix;
  const roaming =
    platform === 'win32'
      ? (env['APPDATA'] ?? join(home, 'AppData', 'Roaming'))
      : platform === 'darwin'
        ? join(home, 'Library', 'Application Support')
        : (env['XDG_CONFIG_HOME'] ?? join(home, '.config'));
  // OpenCode has the folders of XDG on every platform.
  const xdg = env['XDG_CONFIG_HOME'] ?? join(home, '.config');
  const at = (host: string, ...path: string[]): HostFile => ({ host, file: join(...path), folder: project });
  const custom = env['OPENCODE_CONFIG'];
  return [
    at('rxmcp', project, 'mcp.json'),
    at('Claude Code', project, '.mcp.json'),
    at('Cursor', project, '.cursor', 'mcp.json'),
    at('VS Code', project, '.vscode', 'mcp.json'),
    at('OpenCode', project, 'opencode.json'),
    at('OpenCode', project, 'opencode.jsonc'),
    at('Claude Code', env['CLAUDE_CONFIG_DIR'] ?? home, '.claude.json'),
    at('Claude Desktop', roaming, 'Claude', 'claude_desktop_config.json'),
    at('Cursor', home, '.cursor', 'mcp.json'),
    at('VS Code', roaming, 'Code', 'User', 'mcp.json'),
    at('Windsurf', home, '.codeium', 'windsurf', 'mcp_config.json'),
    ...(custom === undefined ? [] : [at('OpenCode', custom)]),
    at('OpenCode', xdg, 'opencode', 'opencode.json'),
    at('OpenCode', xdg, 'opencode', 'opencode.jsonc'),
  ];
}
