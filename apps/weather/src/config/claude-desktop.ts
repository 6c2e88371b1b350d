import { posix, win32 } from 'node:path';

/** The file of Claude Desktop on each system, as a person finds it. */
export const claudeDesktopFiles = {
  macOS: '~/Library/Application Support/Claude/claude_desktop_config.json',
  Windows: '%APPDATA%\\Claude\\claude_desktop_config.json',
  Linux: '~/.config/Claude/claude_desktop_config.json',
} as const;

/** Where a user's files are. */
export interface UserFolders {
  readonly platform: NodeJS.Platform;
  readonly home: string;
  readonly env: Readonly<Record<string, string | undefined>>;
}

/** Returns the path of the file of Claude Desktop. */
export function claudeDesktopFile({ platform, home, env }: UserFolders): string {
  const name = 'claude_desktop_config.json';
  if (platform === 'darwin') return posix.join(home, 'Library', 'Application Support', 'Claude', name);
  if (platform === 'win32')
    return win32.join(env['APPDATA'] || win32.join(home, 'AppData', 'Roaming'), 'Claude', name);
  return posix.join(env['XDG_CONFIG_HOME'] || posix.join(home, '.config'), 'Claude', name);
}
