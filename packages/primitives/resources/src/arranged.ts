import { quoted } from '@rxmcp/core/internal';
import type { Template, TemplateParts } from './template.js';
import { templateParts } from './template.js';
import { relationOf } from './uri/relation.js';

interface Entry {
  readonly template: Template;
  readonly parts: TemplateParts;
  /** What its uris begin with. */
  readonly beginning: string;
  /** How many take all that it takes. */
  wider: number;
}

/**
 * Templates such that each comes before those that take all that it takes. Throws a TypeError that names two which take the same
 * uri while neither is the more particular one.
 */
export function arranged(templates: readonly Template[]): readonly Template[] {
  const entries = templates.map((template): Entry => {
    const parts = templateParts(template) as TemplateParts;
    return { template, parts, beginning: parts.shape.literals[0] ?? '', wider: 0 };
  });
  // In this order those that begin alike stand together, so others are never compared.
  const sorted = [...entries].sort((a, b) =>
    a.beginning < b.beginning ? -1 : a.beginning > b.beginning ? 1 : 0,
  );
  for (const [index, one] of sorted.entries()) {
    for (let at = index + 1; at < sorted.length; at += 1) {
      const other = sorted[at] as Entry;
      if (!other.beginning.startsWith(one.beginning)) break;
      compare(one, other);
    }
  }
  return entries.sort((a, b) => b.wider - a.wider).map(({ template }) => template);
}

function compare(one: Entry, other: Entry): void {
  const relation = relationOf(one.parts.shape, other.parts.shape);
  if (relation === 'apart') return;
  if (relation === 'wider') other.wider += 1;
  else if (relation === 'narrower') one.wider += 1;
  else {
    const [first, second] = [one, other].map(({ template }) => quoted(template.info.uriTemplate));
    throw new TypeError(
      `the templates ${first} and ${second} take the same uris: make one of them more particular`,
    );
  }
}
