import { quoted } from '@rxmcp/core/internal';
import type { Template, TemplateParts } from './template.js';
import { templateParts } from './template.js';
import type { Budget } from './uri/relation.js';
import { maxWork, relationOf } from './uri/relation.js';

interface Entry {
  readonly template: Template;
  readonly parts: TemplateParts;
  readonly text: string;
  /** What its uris begin with. */
  readonly beginning: string;
  /** Whether it has still to be compared with all others. */
  readonly fresh: boolean;
  /** The texts of those that take all that it takes. */
  readonly wider: Set<string>;
}

/** Arranges a list of templates. */
export type Arrange = (templates: readonly Template[]) => readonly Template[];

/**
 * Makes what arranges templates such that each comes before those that take all that it takes. It throws a TypeError that names two
 * which take the same uri while neither is the more particular one. Texts that were compared for the list before are not
 * compared again.
 */
export function arranger(): Arrange {
  let known: ReadonlyMap<string, ReadonlySet<string>> = new Map();
  return (templates) => {
    const entries = entriesOf(templates, known);
    if (entries.some(({ fresh }) => fresh)) compareAll(entries);
    known = new Map(entries.map(({ text, wider }) => [text, wider]));
    return entries.sort((a, b) => b.wider.size - a.wider.size).map(({ template }) => template);
  };
}

function entriesOf(templates: readonly Template[], known: ReadonlyMap<string, ReadonlySet<string>>): Entry[] {
  const texts = new Set(templates.map(({ info }) => info.uriTemplate));
  return templates.map((template): Entry => {
    const parts = templateParts(template) as TemplateParts;
    const text = template.info.uriTemplate;
    const before = known.get(text);
    return {
      template,
      parts,
      text,
      beginning: parts.shape.literals[0] ?? '',
      fresh: before === undefined,
      wider: new Set([...(before ?? [])].filter((one) => texts.has(one))),
    };
  });
}

function compareAll(entries: readonly Entry[]): void {
  const budget: Budget = { left: maxWork };
  // In this order those that begin alike stand together, so others are never compared.
  const sorted = [...entries].sort((a, b) =>
    a.beginning < b.beginning ? -1 : a.beginning > b.beginning ? 1 : 0,
  );
  const fresh = sorted.filter((one) => one.fresh);
  let passed = 0;
  for (const [index, one] of sorted.entries()) {
    if (one.fresh) passed += 1;
    const others = one.fresh ? sorted : fresh;
    for (let at = one.fresh ? index + 1 : passed; at < others.length; at += 1) {
      const other = others[at] as Entry;
      if (!other.beginning.startsWith(one.beginning)) break;
      compare(one, other, budget);
    }
  }
}

function compare(one: Entry, other: Entry, budget: Budget): void {
  const relation = relationOf(one.parts.shape, other.parts.shape, budget);
  if (relation === 'apart') return;
  if (relation === 'wider') other.wider.add(one.text);
  else if (relation === 'narrower') one.wider.add(other.text);
  else {
    const [first, second] = [quoted(one.text), quoted(other.text)];
    throw new TypeError(
      `the templates ${first} and ${second} take the same uris: make one of them more particular`,
    );
  }
}
