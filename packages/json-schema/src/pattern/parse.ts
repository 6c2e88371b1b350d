import { classAt, anyButLineEnd, exactly, setOf, escapeAt } from './char-class.js';
import { UnsupportedPatternError, type Tree } from './program.js';

/** How deeply groups may be nested. */
const maxGroups = 100;

/** Parses a pattern. Throws UnsupportedPatternError for an invalid one, and for one that cannot be matched in linear time. */
export function parse(source: string): Tree {
  const parser = new Parser(source);
  const tree = parser.either(0);
  if (!parser.done) throw new UnsupportedPatternError('a ")" has no "("');
  return tree;
}

class Parser {
  #at = 0;
  constructor(private readonly source: string) {}

  get done(): boolean {
    return this.#at >= this.source.length;
  }

  either(depth: number): Tree {
    if (depth > maxGroups) throw new UnsupportedPatternError('its groups are nested too deeply');
    const parts = [this.#row(depth)];
    while (this.#take('|')) parts.push(this.#row(depth));
    return parts.length === 1 ? (parts[0] as Tree) : { kind: 'either', parts };
  }

  #row(depth: number): Tree {
    const parts: Tree[] = [];
    while (!this.done && this.source[this.#at] !== '|' && this.source[this.#at] !== ')')
      parts.push(this.#repeated(this.#atom(depth)));
    return { kind: 'row', parts };
  }

  #atom(depth: number): Tree {
    const code = this.source.codePointAt(this.#at) as number;
    const char = String.fromCodePoint(code);
    if (char === '\\') return this.#escape();
    if (char === '[') {
      const { is, next } = classAt(this.source, this.#at);
      this.#at = next;
      return { kind: 'char', is };
    }
    this.#at += char.length;
    if (char === '(') return this.#group(depth);
    if (char === '^') return { kind: 'edge', edge: 'start' };
    if (char === '$') return { kind: 'edge', edge: 'end' };
    if (char === '.') return { kind: 'char', is: anyButLineEnd };
    if (char === '*' || char === '+' || char === '?')
      throw new UnsupportedPatternError(`a "${char}" has nothing to repeat`);
    return { kind: 'char', is: exactly(code) };
  }

  #group(depth: number): Tree {
    const [how] = /^(?:\?(?:<[=!]|<[A-Za-z_$][\w$]*>|[:=!]|.?))?/u.exec(
      this.source.slice(this.#at, this.#at + 200),
    ) ?? [''];
    if (how === '?<=' || how === '?<!') throw new UnsupportedPatternError('it has a lookbehind');
    if (how !== '' && how !== '?:' && how !== '?=' && how !== '?!' && !/^\?<[^>]+>$/u.test(how))
      throw new UnsupportedPatternError(`groups that begin with "(${how}" are not known`);
    this.#at += how.length;
    const inner = this.either(depth + 1);
    if (!this.#take(')')) throw new UnsupportedPatternError('a "(" is not closed');
    return how === '?=' || how === '?!' ? { kind: 'look', inner, wanted: how === '?=' } : inner;
  }

  #escape(): Tree {
    const { meaning, next } = escapeAt(this.source, this.#at);
    this.#at = next;
    if (meaning.kind === 'edge') return meaning;
    if (meaning.kind === 'property') return { kind: 'char', is: meaning.is };
    const [only] = meaning.ranges;
    const single = meaning.ranges.length === 1 && only !== undefined && only[0] === only[1];
    return { kind: 'char', is: single ? exactly(only[0]) : setOf(meaning.ranges) };
  }

  #repeated(inner: Tree): Tree {
    const found = /^(?:[*+?]|\{(\d{1,9})(,(\d{1,9})?)?\})\??/u.exec(
      this.source.slice(this.#at, this.#at + 32),
    );
    if (found === null) return inner;
    const [whole, from = '', more, to] = found;
    this.#at += whole.length;
    if (/^[*+?{]/u.test(this.source.slice(this.#at, this.#at + 1)) && this.#quantifies())
      throw new UnsupportedPatternError('a repetition is repeated');
    if (whole.startsWith('*')) return { kind: 'repeat', inner, least: 0, most: Infinity };
    if (whole.startsWith('+')) return { kind: 'repeat', inner, least: 1, most: Infinity };
    if (whole.startsWith('?')) return { kind: 'repeat', inner, least: 0, most: 1 };
    const least = Number(from);
    const most = to !== undefined ? Number(to) : more === undefined ? least : Infinity;
    if (most < least) throw new UnsupportedPatternError(`"${whole}" is out of order`);
    return { kind: 'repeat', inner, least, most };
  }

  #quantifies(): boolean {
    return /^(?:[*+?]|\{\d+(?:,\d*)?\})/u.test(this.source.slice(this.#at, this.#at + 32));
  }

  #take(char: string): boolean {
    if (this.source[this.#at] !== char) return false;
    this.#at += 1;
    return true;
  }
}
