import type { TemplateValue } from './expand.js';

/**
 * The variables of a uri template by name, read from its text where that is a literal: a text for `{v}`, a list for `{v*}`, a list or
 * pairs for `{?v*}`. Those of `{.v}`, `{/v}`, `{;v}`, `{?v}`, `{&v}` and `{#v}` may be missing.
 */
export type TemplateVars<T extends string> = string extends T
  ? { readonly [name: string]: TemplateValue }
  : Flat<Collected<T>>;

type Collected<T extends string> = T extends `${string}{${infer Expression}}${infer Rest}`
  ? Named<Expression> & Collected<Rest>
  : unknown;

type Named<Expression extends string> = Expression extends `${'?' | '&' | ';'}${infer Specs}`
  ? {
      readonly [Spec in Split<Specs> as Name<Spec>]?: Spec extends `${string}*`
        ? Exclude<TemplateValue, string>
        : string;
    }
  : Expression extends `${'.' | '/' | '#'}${infer Specs}`
    ? { readonly [Spec in Split<Specs> as Name<Spec>]?: Value<Spec> }
    : {
        readonly [
          Spec in Split<Expression extends `+${infer Specs}` ? Specs : Expression> as Name<Spec>
        ]: Value<Spec>;
      };

type Value<Spec extends string> = Spec extends `${string}*` ? readonly string[] : string;

type Name<Spec extends string> = Spec extends `${infer Name}*`
  ? Name
  : Spec extends `${infer Name}:${string}`
    ? Name
    : Spec;

type Split<Specs extends string> = Specs extends `${infer First},${infer Rest}` ? First | Split<Rest> : Specs;

type Flat<T> = { [K in keyof T]: T[K] };
