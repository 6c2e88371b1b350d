import type { StandardSchema } from '@rxmcp/core';
import {
  checkName,
  isObject,
  isStandardSchema,
  jsonSchemaOf,
  quoted,
  refuseShape,
} from '@rxmcp/core/internal';
import type { OfferedArgument, PromptArgument } from './types.js';

/** How arguments are told: a schema of an object of strings, or the list that clients see. */
export type PromptArgumentsSpec = StandardSchema | readonly OfferedArgument[];

/** What a handler gets. */
export type PromptValues<A> =
  A extends StandardSchema<infer _In, infer Out>
    ? Out
    : A extends readonly OfferedArgument[]
      ? ListedValues<A>
      : Readonly<Record<string, string>>;

type ListedValues<A extends readonly OfferedArgument[]> = {
  readonly [K in A[number] as K extends Given ? K['name'] : never]: string;
} & {
  readonly [K in A[number] as K extends Given ? never : K['name']]?: string;
};

/** What a handler always gets. */
type Given = { readonly required: true } | { readonly default: string };

/** The arguments of a prompt, sorted out. */
export interface ListedArguments {
  /** The list that clients see. */
  readonly listed: readonly PromptArgument[];
  /** What the handler gets for those that are left out; undefined where a schema sees to that, or there is none. */
  readonly defaults: Readonly<Record<string, string>> | undefined;
}

/** Sorts arguments out. Throws a TypeError that begins with `where` for what cannot be told. */
export function listedArguments(where: string, spec: PromptArgumentsSpec): ListedArguments {
  refuseShape(where, spec);
  const given = isStandardSchema(spec) ? fromSchema(where, spec) : spec;
  if (!Array.isArray(given)) throw new TypeError(`${where} are neither a Standard Schema nor a list`);
  const defaults = new Map<string, string>();
  const names = new Set<string>();
  const listed = (given as readonly OfferedArgument[]).map(({ default: otherwise, ...argument }) => {
    const { name, required } = argument;
    checkName(`argument of ${where}`, name);
    if (names.has(name)) throw new TypeError(`${where}: two are called ${quoted(name)}`);
    names.add(name);
    if (otherwise === undefined) return Object.freeze(argument);
    if (required === true)
      throw new TypeError(`${where}: ${quoted(name)} is required, so its default would never be taken`);
    if (typeof otherwise !== 'string')
      throw new TypeError(`${where}: the default of ${quoted(name)} is no string`);
    defaults.set(name, otherwise);
    return Object.freeze(withDefault(argument, quoted(otherwise)));
  });
  return { listed, defaults: defaults.size === 0 ? undefined : Object.fromEntries(defaults) };
}

/** The wire has no place for a default but the description. */
function withDefault(argument: PromptArgument, otherwise: string): PromptArgument {
  const { description } = argument;
  const told = `default: ${otherwise}`;
  return { ...argument, description: description === undefined ? told : `${description} (${told})` };
}

function fromSchema(where: string, schema: StandardSchema): PromptArgument[] {
  const { properties, required } = jsonSchemaOf(where, schema, 'input');
  if (!isObject(properties)) throw new TypeError(`${where} must be a schema of an object with named members`);
  const needed = new Set(Array.isArray(required) ? required : []);
  return Object.entries(properties).map(([name, property]) => {
    const { title, description, default: otherwise } = isObject(property) ? property : {};
    const argument = {
      name,
      ...(typeof title === 'string' ? { title } : {}),
      ...(typeof description === 'string' ? { description } : {}),
      ...(needed.has(name) ? { required: true } : {}),
    };
    return otherwise === undefined ? argument : withDefault(argument, quoted(textOf(otherwise)));
  });
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}
