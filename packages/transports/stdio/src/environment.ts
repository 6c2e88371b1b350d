const posix = ['HOME', 'LOGNAME', 'PATH', 'SHELL', 'TERM', 'USER', 'LANG'];
const windows = [
  'APPDATA',
  'HOMEDRIVE',
  'HOMEPATH',
  'LANG',
  'LOCALAPPDATA',
  'PATH',
  'PATHEXT',
  'PROCESSOR_ARCHITECTURE',
  'PROGRAMDATA',
  'PROGRAMFILES',
  'SYSTEMDRIVE',
  'SYSTEMROOT',
  'TEMP',
  'TMP',
  'USERNAME',
  'USERPROFILE',
];

/**
 * The environment of a child: the variables that programs need to run at all, and what the caller adds. Secrets of this
 * process stay here. Values that are exported shell functions are left out.
 */
export function childEnvironment(
  added: Readonly<Record<string, string>>,
  own: NodeJS.ProcessEnv = process.env,
  platform: NodeJS.Platform = process.platform,
): Record<string, string> {
  const environment: Record<string, string> = {};
  for (const name of platform === 'win32' ? windows : posix) {
    const value = own[name];
    if (value !== undefined && !value.startsWith('()')) environment[name] = value;
  }
  return { ...environment, ...added };
}
