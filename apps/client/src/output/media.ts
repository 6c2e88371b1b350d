import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { decodePng } from './png.js';
import { sixels } from './sixel.js';

/** How a terminal shows pictures. */
export type PictureProtocol = 'kitty' | 'iterm2' | 'sixel';

/** Finds out how the terminal shows pictures; undefined if it does not, and within tmux and screen, which do not pass them on. */
export function pictureProtocol(env: NodeJS.ProcessEnv): PictureProtocol | undefined {
  const { TERM: term = '', TERM_PROGRAM: terminal = '', LC_TERMINAL: remote = '' } = env;
  if (env['TMUX'] !== undefined || env['STY'] !== undefined) return undefined;
  if (env['KITTY_WINDOW_ID'] !== undefined || /^xterm-(?:kitty|ghostty)$/.test(term)) return 'kitty';
  if (['iTerm.app', 'WezTerm', 'mintty', 'rio'].includes(terminal) || remote === 'iTerm2') return 'iterm2';
  return /^(?:foot|mlterm|contour|yaft)/.test(term) || Number(env['KONSOLE_VERSION']) >= konsoleWithSixels
    ? 'sixel'
    : undefined;
}

const konsoleWithSixels = 220_400;

const endings: Readonly<Record<string, string>> = {
  'image/png': 'png',
  'image/jpeg': 'jpg',
  'image/gif': 'gif',
  'image/webp': 'webp',
  'image/svg+xml': 'svg',
  'audio/wav': 'wav',
  'audio/mpeg': 'mp3',
  'audio/ogg': 'ogg',
  'application/pdf': 'pdf',
};

/** Shows pictures at a terminal, and saves what it cannot show as files. */
export class Media {
  #folder: string | undefined;
  #count = 0;

  /** @param protocol - undefined = all is saved */
  constructor(private readonly protocol: PictureProtocol | undefined) {}

  /** Returns what shows base64 data, or names the file it is in. */
  show(data: string, mimeType = 'application/octet-stream'): string {
    const bytes = Buffer.from(data, 'base64');
    const [type = ''] = mimeType.toLowerCase().split(';');
    const { protocol } = this;
    // Data of a server is encoded again: nothing but base64 reaches the terminal.
    if (protocol === 'kitty' && isPng(bytes)) return kitty(bytes.toString('base64'));
    if (protocol === 'iterm2' && type.startsWith('image/') && type in endings)
      return `\u001b]1337;File=inline=1;size=${bytes.length}:${bytes.toString('base64')}\u0007`;
    const pixels = protocol === 'sixel' && isPng(bytes) ? decodePng(bytes) : undefined;
    if (pixels !== undefined) return sixels(pixels);
    return this.#saved(bytes, endings[type] ?? 'bin');
  }

  #saved(bytes: Buffer, ending: string): string {
    this.#folder ??= mkdtempSync(join(tmpdir(), 'rxmcp-'));
    const file = join(this.#folder, `${(this.#count += 1)}.${ending}`);
    writeFileSync(file, bytes, { mode: 0o600 });
    return `saved as ${file}`;
  }
}

function isPng(bytes: Buffer): boolean {
  return bytes.subarray(0, 8).equals(Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]));
}

/** The graphics protocol of kitty, in pieces of 4,096 characters. */
function kitty(base64: string): string {
  const pieces = base64.match(/.{1,4096}/g) ?? [''];
  return pieces
    .map((piece, at) => {
      const more = at === pieces.length - 1 ? 0 : 1;
      return `\u001b_G${at === 0 ? 'f=100,a=T,' : ''}m=${more};${piece}\u001b\\`;
    })
    .join('');
}
