import { TransportError } from '@rxmcp/transport';

/** Refuses Windows batch files: they run in `cmd.exe`, which reads arguments as commands. Throws DIAL_FAILED. */
export function refuseBatchFile(command: string, platform: NodeJS.Platform = process.platform): void {
  // Windows drops dots and spaces at the end of a file name.
  if (platform !== 'win32' || !/\.(cmd|bat)[. ]*$/i.test(command)) return;
  throw new TransportError(
    'DIAL_FAILED',
    `"${command}" is a batch file, which cannot be started safely; start the program behind it instead.`,
    { outcome: 'not-sent' },
  );
}
