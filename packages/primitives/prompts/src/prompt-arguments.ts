import type { StandardSchema } from '@rxmcp/core';
import {
  checkName,
  isObject,
  isStandardSchema,
  jsonSchemaOf,
  quoted,
  refuseShape,
} from '@rxmcp/core/internal';
import type { PromptArgument } from './types.js';

/** How arguments are told: a schema of an object of strings, or the list that clients see. */
export type PromptArgumentsSpec = StandardSchema | readonly PromptArgument[];

/** What a handler gets. */
export type PromptValues<A> =
  A extends StandardSchema<infer _In, infer Out>
    ? Out
    : A extends readonly PromptArgument[]
      ? ListedValues<A>
      : Readonly<Record<string, string>>;

type ListedValues<A extends readonly PromptArgument[]> = {
  readonly [K in A[number] as K extends { readonly required: true } ? K['name'] : never]: string;
} & {
  readonly [K in A[number] as K extends { readonly required: true } ? never : K['name']]?: string;
};

/** The list that clients see. Throws a TypeError that begins with `where` for what cannot be told. */
export function listedArguments(where: string, spec: PromptArgumentsSpec): readonly PromptArgument[] {
  refuseShape(where, spec);
  const listed = isStandardSchema(spec) ? fromSchema(where, spec) : spec;
  if (!Array.isArray(listed)) throw new TypeError(`${where} are neither a Standard Schema nor a list`);
  const names = new Set<string>();
  for (const { name } of listed as readonly PromptArgument[]) {
    checkName(`argument of ${where}`, name);
    if (names.has(name)) throw new TypeError(`${where}: two are called ${quoted(name)}`);
    names.add(name);
  }
  return listed.map((argument: PromptArgument) => Object.freeze({ ...argument }));
}

function fromSchema(where: string, schema: StandardSchema): PromptArgument[] {
  const { properties, required } = jsonSchemaOf(where, schema, 'input');
  if (!isObject(properties)) throw new TypeError(`${where} must be a schema of an object with named members`);
  const needed = new Set(Array.isArray(required) ? required : []);
  return Object.entries(properties).map(([name, property]) => {
    const { title, description } = isObject(property) ? property : {};
    return {
      name,
      ...(typeof title === 'string' ? { title } : {}),
      ...(typeof description === 'string' ? { description } : {}),
      ...(needed.has(name) ? { required: true } : {}),
    };
  });
}
