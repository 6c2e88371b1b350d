const maxValues = 100_000;

/** About how many bytes a JSON value has as text, without making it; values beyond the 100,000th are not looked at. */
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
