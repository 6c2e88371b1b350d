/** What one request takes besides its text, in bytes: its exchange, its entries in tables, its promises. */
const requestBytes = 2_048;
/** The most that one value of a parsed text takes, in bytes: an empty object and the place that holds it. */
const valueBytes = 64;
/** A shorter text is charged as if it were dense, since counting its values would cost more than it is worth. */
const shortText = 4_096;
/** The densest text is a list of empty objects, three characters for each. */
const denseBytesPerCharacter = valueBytes / 3;

/** Estimates the memory that a request takes while it is served, in bytes, by its text: never less than it does. */
export function estimateRequestBytes(text: string): number {
  const { length } = text;
  if (length < shortText) return requestBytes + Math.ceil(length * denseBytesPerCharacter);
  // Two bytes for each character of its strings, and each value follows a comma or an opening bracket.
  return requestBytes + 2 * length + valueBytes * (count(text, ',') + count(text, '[') + count(text, '{'));
}

function count(text: string, character: string): number {
  let found = 0;
  for (let at = text.indexOf(character); at >= 0; at = text.indexOf(character, at + 1)) found += 1;
  return found;
}
