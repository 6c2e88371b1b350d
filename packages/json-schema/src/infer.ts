/** The type that a JSON Schema literal tells; `unknown` where it tells none. */
export type InferJson<S> = S extends { readonly const: infer C }
  ? Plain<C>
  : S extends { readonly enum: readonly (infer E)[] }
    ? Plain<E>
    : S extends { readonly type: infer T }
      ? OfType<S, T extends readonly (infer N)[] ? N : T>
      : unknown;

type OfType<S, T> = T extends 'string'
  ? string
  : T extends 'number' | 'integer'
    ? number
    : T extends 'boolean'
      ? boolean
      : T extends 'null'
        ? null
        : T extends 'array'
          ? S extends { readonly prefixItems: unknown }
            ? readonly unknown[]
            : S extends { readonly items: infer I }
              ? readonly InferJson<I>[]
              : readonly unknown[]
          : T extends 'object'
            ? OfObject<S>
            : unknown;

type OfObject<S> = S extends { readonly properties: infer P }
  ? string extends keyof P
    ? Readonly<Record<string, unknown>>
    : Flat<
        { readonly [K in keyof P as K extends Required<S> ? K : never]: InferJson<P[K]> } & {
          readonly [K in keyof P as K extends Required<S> ? never : K]?: InferJson<P[K]>;
        }
      >
  : Readonly<Record<string, unknown>>;

// A list that is no literal has some of its names, and nobody knows which.
type Required<S> = S extends { readonly required: infer R extends readonly unknown[] }
  ? number extends R['length']
    ? never
    : string extends R[number]
      ? never
      : R[number]
  : never;
type Flat<T> = { readonly [K in keyof T]: T[K] };
type Plain<T> = T extends object ? unknown : T;
