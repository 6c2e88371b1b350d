import type { Rule } from '../../rule.js';
import { chain, inMember, without } from '../../rule.js';
import * as since from './since.js';

/** The members of a kind of thing that came after it, and the revision by which each came. */
export type Members = Readonly<Record<string, string>>;

/** Takes away what a revision does not know of the members of a thing; undefined where it knows all. */
export function trimmed(members: Members, revision: string): Rule | undefined {
  return without(Object.keys(members).filter((name) => revision < (members[name] as string)));
}

/** The same for a thing that may have annotations. */
export function annotated(members: Members, revision: string): Rule | undefined {
  return chain(trimmed(members, revision), inMember('annotations', trimmed(since.annotations, revision)));
}
