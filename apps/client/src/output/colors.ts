import { WriteStream } from 'node:tty';

/**
 * Whether a stream is written with colours: a terminal that has them, unless `NO_COLOR` is set; `FORCE_COLOR` decides before that. The
 * rules are those of Node.js.
 */
export function hasColors({ isTTY }: { readonly isTTY?: boolean }, env: NodeJS.ProcessEnv): boolean {
  if (isTTY !== true && (env['FORCE_COLOR'] ?? '') === '') return false;
  return WriteStream.prototype.getColorDepth.call(undefined as never, { ...env }) > 1;
}
