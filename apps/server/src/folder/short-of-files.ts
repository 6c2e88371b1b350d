/** Whether the process or the system has no room for one more open file: nothing is wrong with what was to be opened. */
export function isShortOfFiles(error: unknown): boolean {
  const { code } = error as NodeJS.ErrnoException;
  return code === 'EMFILE' || code === 'ENFILE';
}
