import type { Rule } from '../../rule.js';
import { chain, inMember, without } from '../../rule.js';

/** The revisions by which things came, oldest first. */
export const r03 = '2025-03-26';
export const r06 = '2025-06-18';
export const r11 = '2025-11-25';

// Members that a later revision gave a meaning, and since when. What no revision names is its author's, and stays.
const since = {
  implementation: { title: r06, icons: r11, description: r11, websiteUrl: r11 },
  serverCapabilities: { completions: r03 },
  clientCapabilities: { elicitation: r06 },
  tool: { annotations: r03, title: r06, outputSchema: r06, _meta: r06, icons: r11, execution: r11 },
  resource: { title: r06, _meta: r06, icons: r11 },
  contents: { _meta: r06 },
  prompt: { title: r06, _meta: r06, icons: r11 },
  promptArgument: { title: r06 },
  reference: { title: r06 },
  completion: { context: r06 },
  annotations: { lastModified: r06 },
  block: { _meta: r06 },
  root: { _meta: r06 },
  message: { _meta: r11 },
  sampling: { context: r11, tools: r11 },
  question: { mode: r11 },
  form: { $schema: r11 },
} as const satisfies Readonly<Record<string, Readonly<Record<string, string>>>>;

/** What a revision may know more or less about. */
export type Kind = keyof typeof since;

/** Takes away what a revision does not know of a kind of thing; undefined where it knows all. */
export function trimmed(kind: Kind, revision: string): Rule | undefined {
  const members: Readonly<Record<string, string>> = since[kind];
  return without(Object.keys(members).filter((name) => revision < (members[name] as string)));
}

/** The same for a thing that may have annotations. */
export function annotated(kind: Kind, revision: string): Rule | undefined {
  return chain(trimmed(kind, revision), inMember('annotations', trimmed('annotations', revision)));
}
