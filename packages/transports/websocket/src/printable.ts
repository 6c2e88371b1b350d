const maxShown = 200;

/** What a peer wrote, made safe to print: quoted, control characters and changes of direction escaped, 200 characters. */
export function printable(text: string): string {
  const quoted = JSON.stringify(text.slice(0, maxShown)).replace(
    /[\u007f-\u009f\u200b-\u200f\u2028-\u202e\u2066-\u2069\ufeff]/g,
    (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
  const isWhole = quoted.length <= maxShown && text.length <= maxShown;
  return isWhole ? quoted : `${quoted.slice(0, maxShown - 1)}…`;
}
