/** What can be broken on purpose: what a server offers is left out, what a client answers is false. */
export const primitives = [
  'tools',
  'resources',
  'prompts',
  'sampling',
  'roots',
  'elicitation',
  'logging',
  'completion',
] as const;

/** One of the {@link primitives}. */
export type Primitive = (typeof primitives)[number];

/** Tells a primitive from any other word. */
export function isPrimitive(word: string): word is Primitive {
  return (primitives as readonly string[]).includes(word);
}
