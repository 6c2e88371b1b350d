/** The variables of a uri template, by name; those of a query may be missing. Read from the text where it is a literal. */
export type TemplateVars<T extends string> = string extends T
  ? { readonly [name: string]: string }
  : Flat<Collected<T>>;

type Collected<T extends string> = T extends `${string}{${infer Expression}}${infer Rest}`
  ? Named<Expression> & Collected<Rest>
  : unknown;

type Named<Expression extends string> = Expression extends `?${infer Names}`
  ? { readonly [Name in Split<Names>]?: string }
  : Expression extends `+${infer Name}`
    ? { readonly [N in Name]: string }
    : { readonly [N in Expression]: string };

type Split<Names extends string> = Names extends `${infer First},${infer Rest}` ? First | Split<Rest> : Names;

type Flat<T> = { [K in keyof T]: T[K] };
