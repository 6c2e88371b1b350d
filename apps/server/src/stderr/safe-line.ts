/** Longer lines are cut. */
const maxChars = 1_024;

/**
 * One line that is safe to print, at most 1,024 characters long: part of it may come from a peer, which must neither steer
 * a terminal nor write lines of its own.
 */
export function safeLine(text: string): string {
  const escaped = text
    .slice(0, maxChars + 1)
    .replace(/[\p{Cc}\p{Bidi_Control}\p{Zl}\p{Zp}\p{Cs}]/gu, (character) => {
      return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
    });
  return escaped.length > maxChars ? `${escaped.slice(0, maxChars - 1)}…` : escaped;
}
