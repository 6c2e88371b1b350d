// Control characters except tab and line feed, line separators, and what no font shows: controls of direction, tags, selectors. What joins
// letters or selects the form of an emoji stays.
const invisible =
  /(?!\n|\t|\u200c|\u200d|\ufe0e|\ufe0f)[\p{Cc}\p{Zl}\p{Zp}\ufff9-\ufffb\p{Default_Ignorable_Code_Point}]/gu;
const maxChars = 200_000;

/** Escapes the invisible characters of a text, so that a reader sees all that it says, and cuts it at 200,000 characters. */
export function visibleText(text: string): string {
  const shown = text.length > maxChars ? `${text.slice(0, maxChars)}… (${text.length} characters)` : text;
  return shown.replace(/\r\n/g, '\n').replace(invisible, escaped);
}

function escaped(character: string): string {
  return `\\u{${character.codePointAt(0)?.toString(16)}}`;
}
