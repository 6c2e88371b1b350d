/**
 * Returns whether two values are equal. By content: arrays, plain objects, maps and sets in their order, dates, bytes, regular
 * expressions, URLs, errors with their causes, and class instances with own members. Other values by identity.
 */
export function equalDeep(a: unknown, b: unknown): boolean {
  return equal(a, b, new Map());
}

// Own code, since `isDeepStrictEqual` is of Node only, and the usual libraries call all that has no members equal.
function equal(a: unknown, b: unknown, begun: Map<object, Set<object>>): boolean {
  if (Object.is(a, b)) return true;
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false;
  if (Object.getPrototypeOf(a) !== Object.getPrototypeOf(b)) return false;
  const [saysA, saysB] = [contentOf(a), contentOf(b)];
  if (saysA === undefined || saysB === undefined) return false;
  // What contains itself is equal unless a difference comes elsewhere.
  const partners = begun.get(a) ?? new Set();
  if (partners.has(b)) return true;
  begun.set(a, partners.add(b));
  return (
    saysA.length === saysB.length &&
    saysA.every((one, index) => equal(one, saysB[index], begun)) &&
    sameMembers(a, b, begun)
  );
}

function sameMembers(a: object, b: object, begun: Map<object, Set<object>>): boolean {
  // Bytes have one per element, and were compared.
  if (ArrayBuffer.isView(a)) return true;
  const [inA, inB] = [membersOf(a), membersOf(b)];
  return (
    inA.length === inB.length &&
    inA.every(
      (name) =>
        Object.prototype.propertyIsEnumerable.call(b, name) &&
        equal((a as Record<PropertyKey, unknown>)[name], (b as Record<PropertyKey, unknown>)[name], begun),
    )
  );
}

/** The content of a value apart from its members; undefined if it cannot be inspected, so that it equals only itself. */
function contentOf(value: object): readonly unknown[] | undefined {
  if (Array.isArray(value)) return [value.length];
  if (value instanceof Date) return [value.getTime()];
  if (value instanceof RegExp || value instanceof URL || value instanceof URLSearchParams)
    return [String(value)];
  if (value instanceof Map || value instanceof Set) return [...value];
  if (value instanceof ArrayBuffer) return [...new Uint8Array(value)];
  if (ArrayBuffer.isView(value)) return [...new Uint8Array(value.buffer, value.byteOffset, value.byteLength)];
  if (value instanceof Error) {
    // Two of one kind and text are equal wherever they were made: the stack does not count.
    return [value.name, value.message, value.cause, (value as Partial<AggregateError>).errors];
  }
  return isPlain(value) || membersOf(value).length > 0 ? [] : undefined;
}

function isPlain(value: object): boolean {
  const prototype = Object.getPrototypeOf(value) as object | null;
  return prototype === null || Object.getPrototypeOf(prototype) === null;
}

function membersOf(value: object): PropertyKey[] {
  return Reflect.ownKeys(value).filter((name) => Object.prototype.propertyIsEnumerable.call(value, name));
}
