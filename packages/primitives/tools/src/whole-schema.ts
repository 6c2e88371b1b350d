import type { StandardSchema } from '@rxmcp/core';

/** What a type checker says to an object of schemas in the place of one schema. */
export type Unwrapped = 'These are schemas in an object that is none: wrap them, as in z.object({ ... })';

/** Options whose input and output are whole schemas: no `{ name: z.string() }` for `z.object({ name: z.string() })`. */
export type WholeSchemas<I, O> = Whole<'input', I> & Whole<'output', O>;

type Whole<Member extends string, S> = [LooseSchemas<S>] extends [never]
  ? unknown
  : { readonly [M in Member]?: Unwrapped };

/** The names of the members that are schemas, in what is none itself. */
type LooseSchemas<S> = unknown extends S
  ? never
  : S extends StandardSchema
    ? never
    : {
        [Name in keyof S]: unknown extends S[Name] ? never : S[Name] extends StandardSchema ? Name : never;
      }[keyof S];
