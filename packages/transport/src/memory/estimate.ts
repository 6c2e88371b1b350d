/** What one request takes besides its text, in bytes: its exchange, its entries in tables, its promises. */
const requestBytes = 2_048;
/** The most that one value of a parsed text takes, in bytes: an empty object and the place that holds it. */
const valueBytes = 64;
/** A shorter text is charged as if it were dense, since counting its values would cost more than it is worth. */
const shortText = 4_096;
/** The densest text is a list of empty objects, three characters for each. */
const denseBytesPerCharacter = valueBytes / 3;

/** Estimates the memory that a request takes while it is served, in bytes, by its text: rarely less than it does, never less than two thirds. */
export function estimateRequestBytes(text: string): number {
  const { length } = text;
  if (length < shortText) return requestBytes + Math.ceil(length * denseBytesPerCharacter);
  // Two bytes for each character of its strings, and each value follows a comma or an opening bracket.
  return messageBytes(length, countValues(text));
}

/**
 * Estimates the memory that a message takes while it waits to be posted, in bytes. Only a response counts: a server can make
 * a client send as many as it likes. The members of a result begin further back than the method of a request with a short id.
 */
export function estimatePostBytes(text: string): number {
  return text.slice(0, 40).includes('"method":') ? 0 : requestBytes + 2 * text.length;
}

/** No message has more values, in any transport that checks them. */
const maxValues = 200_000;

/** Estimates the memory that a message takes, in bytes, where it arrives as a value and not as text. Stops after 200,000 values. */
export function estimateMessageBytes(message: unknown): number {
  const rest: unknown[] = [message];
  let characters = 0;
  let values = 0;
  for (; rest.length > 0 && values < maxValues; values += 1) {
    const value = rest.pop();
    if (typeof value === 'string') characters += value.length;
    else if (Array.isArray(value)) for (const item of value) rest.push(item);
    else if (typeof value === 'object' && value !== null) {
      for (const name in value) {
        characters += name.length;
        rest.push((value as Record<string, unknown>)[name]);
      }
    }
  }
  return messageBytes(characters, values);
}

/** Returns the memory that a message takes, in bytes: two for each character of its strings, and a fixed amount for each value. */
function messageBytes(characters: number, values: number): number {
  return requestBytes + 2 * characters + valueBytes * values;
}

const separators = [',', '[', '{'];
/** A text with a separator for at most so many characters is walked: looking for each separator would take longer. */
const denseGap = 16;

/** Counts commas and opening brackets. */
function countValues(text: string): number {
  let found = 0;
  for (const separator of separators) {
    let at = text.indexOf(separator);
    for (let own = 1; at >= 0; own += 1, at = text.indexOf(separator, at + 1)) {
      found += 1;
      if (own === 256 && at < own * denseGap) return walk(text);
    }
  }
  return found;
}

function walk(text: string): number {
  let found = 0;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === 0x2c || code === 0x5b || code === 0x7b) found += 1;
  }
  return found;
}
