import { docOf, homeOf, isHidden, isOf, type Exports, type Named, type Type } from './checker.js';

/** The kinds of the stream contract in ARCHITECTURE.md. */
const kinds = ['call', 'state', 'status', 'event', 'scoped'];

/** Types whose streams are made by users; the value is why. They are of no kind by whatever name they are handed on. */
const usersOwn: Readonly<Record<string, string>> = {
  Interceptor: 'gives what a user makes of a call; the call itself is `Next`, which has its kind',
};

/**
 * One sentence for each public stream that does not say its kind: a property or constant that is one, and a function, method
 * or operator that gives one. Follows what is exported to what is not, such as the result of an exported function.
 */
export function untaggedStreams(exports: Exports, files: readonly string[]): string[] {
  const { checker } = exports;
  const wrong = new Set<string>();
  const seen = new Set<Type>();

  const judge = (path: string, named: Named, type: Type): void => {
    if (!givesStream(type)) return;
    const tag = /@stream\b *(\w*)/.exec(docOf(named))?.[1];
    if (tag === undefined) wrong.add(`${path} in ${homeOf(named)} has no @stream`);
    else if (!kinds.includes(tag)) wrong.add(`${path} in ${homeOf(named)} has the unknown kind "${tag}"`);
  };
  const walk = (path: string, given: Type): void => {
    const type = given.target ?? given;
    if (seen.has(type)) return;
    seen.add(type);
    for (const part of type.types ?? []) walk(path, part);
    if (type.symbol === undefined || homeOf(type.symbol) === undefined) return;
    for (const signature of type.getCallSignatures()) walk(path, signature.getReturnType());
    const owner = type.symbol.name.startsWith('__') ? path : type.symbol.name;
    for (const member of checker.getPropertiesOfType(type))
      if (!isHidden(member)) look(`${owner}.${member.name}`, member);
  };
  const look = (path: string, named: Named): void => {
    if (homeOf(named) === undefined) return;
    if (isOf(named, 'Value')) {
      const type = checker.getTypeOfSymbol(named);
      judge(path, named, type);
      walk(path, type);
    }
    if (isOf(named, 'Type')) {
      const type = checker.getDeclaredTypeOfSymbol(named);
      // The type of a function speaks for the functions; that of a stream leaves it to what gives the stream.
      if (type.getCallSignatures().length > 0) judge(path, named, type);
      walk(path, type);
    }
  };

  for (const file of files) for (const [name, named] of exports.of(file)) look(name, named);
  return [...wrong].sort();
}

/** Is a stream, or a function that gives one, be it by way of further functions. */
function givesStream(type: Type, depth = 0): boolean {
  if (depth > 4 || (type.aliasSymbol !== undefined && type.aliasSymbol.name in usersOwn)) return false;
  return (
    isStream(type) ||
    (type.types ?? []).some((part) => givesStream(part, depth + 1)) ||
    type.getCallSignatures().some((signature) => givesStream(signature.getReturnType(), depth + 1))
  );
}

/** `Subscribable` does not count: only what users hand over is called so. */
function isStream(type: Type): boolean {
  return type.symbol?.name === 'Observable' || ((type.target ?? type).getBaseTypes() ?? []).some(isStream);
}
