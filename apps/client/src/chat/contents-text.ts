import type { ResourceContents } from 'rxmcp';
import { untrusted } from 'rxmcp/prompts';

/** More of one resource or result does not reach the model. */
export const maxTextChars = 50_000;

/** An estimate: four characters are one token. */
export function tokensIn(text: string): number {
  return Math.ceil(text.length / 4);
}

/** Contents of a resource for the model, fenced: they are data of a server. */
export function contentsText(contents: readonly ResourceContents[]): string {
  return contents
    .map(({ uri, text, blob = '', mimeType = 'of unknown type' }) =>
      text === undefined
        ? `${uri}: binary, ${mimeType}, ${Math.floor((blob.length * 3) / 4)} bytes`
        : untrusted(cut(text), { source: uri }),
    )
    .join('\n');
}

/** Cuts text that is too long for the model, and says so in it. */
export function cut(text: string): string {
  if (text.length <= maxTextChars) return text;
  return `${text.slice(0, maxTextChars)}\n(the first ${maxTextChars} of ${text.length} characters)`;
}
