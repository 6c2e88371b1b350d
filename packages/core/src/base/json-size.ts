const maxValues = 100_000;

/** Estimates the length of a JSON value as text without creating that text. Ignores values after the 100,000th. */
export function textSize(value: unknown): number {
  const rest: unknown[] = [value];
  let size = 0;
  for (let seen = 0; rest.length > 0 && seen < maxValues; seen += 1) {
    const next = rest.pop();
    if (typeof next === 'string') size += next.length + 2;
    else if (Array.isArray(next)) {
      size += next.length + 1;
      for (const item of next) rest.push(item);
    } else if (typeof next === 'object' && next !== null) {
      size += 1;
      for (const key in next) {
        size += key.length + 4;
        rest.push((next as Record<string, unknown>)[key]);
      }
    } else size += String(next).length;
  }
  return size;
}

const bytesPerValue = 32;

/** Returns the memory that is charged for an estimate: its text may have two bytes for each character. */
export function memoryOf(estimated: number): number {
  return 2 * estimated;
}

/**
 * Estimates the memory that a JSON value takes, in bytes: its text and a fixed amount per value. Stops at `limit`,
 * so that the cost is bounded. Instances of classes are no JSON: they count as one value.
 */
export function estimateBytes(value: unknown, limit: number): number {
  const rest: unknown[] = [value];
  let weight = 0;
  while (rest.length > 0 && weight <= limit) {
    const next = rest.pop();
    weight += bytesPerValue;
    if (typeof next === 'string') weight += next.length;
    else if (Array.isArray(next)) for (const item of next) rest.push(item);
    else if (isPlain(next)) {
      for (const key in next) {
        weight += key.length;
        rest.push(next[key]);
      }
    }
  }
  return weight;
}

function isPlain(value: unknown): value is Record<string, unknown> {
  if (typeof value !== 'object' || value === null) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}
