import type {
  Context,
  Icon,
  JsonObject,
  HandlerResult,
  RequiredCapability,
  StandardSchema,
} from '@rxmcp/core';
import {
  checkName,
  libraryCopy,
  readInternals,
  isObject,
  isStandardSchema,
  toJsonSchema,
  capabilitiesForNeeds,
  quoted,
  rejectUnknownOptions,
  rejectUnwrappedSchemas,
  omitUndefined,
} from '@rxmcp/core/internal';
import type { LibraryCopy } from '@rxmcp/core/internal';
import type {
  PromptArgumentDefinition,
  PromptArgument,
  PromptInfo,
  PromptMessage,
  PromptResult,
} from './types.js';

/** The metadata and the arguments of a prompt. */
export interface PromptOptions<A extends PromptArgumentsSpec | undefined> {
  /** For people. @default the name */
  readonly title?: string;
  readonly description?: string;
  /** The arguments. Clients send strings; a schema may convert them. @default any strings */
  readonly arguments?: A;
  readonly icons?: readonly Icon[];
  /**
   * The version of the template: `version` in the `_meta` of its list entry and of each result. Raise it when the same arguments
   * produce other messages. @default none
   */
  readonly version?: string;
  /** The `_meta` of its list entry. */
  readonly meta?: JsonObject;
  /** Required client capabilities: requests of other clients are rejected before the handler runs; `elicitation` means forms. */
  readonly needs?: readonly RequiredCapability[];
}

/** What the handler of a prompt may return: a whole result, messages, one message, or a text as a user message. */
export type PromptReturnValue = PromptResult | readonly PromptMessage[] | PromptMessage | string;

/** The key of the types of a prompt: there is no value. */
declare const types: unique symbol;

/**
 * A template of messages for people to pick; made by {@link prompt}, served by {@link offerPrompts}. `Input` is the type of the
 * arguments as a client sends them.
 */
export interface Prompt<Name extends string = string, Input = unknown> {
  readonly [types]?: Input;
  readonly name: Name;
  /** Its entry in the list. */
  readonly info: PromptInfo;
  readonly [parts]: PromptParts;
}

/** A prompt without options: its arguments are any strings. */
export function prompt<const Name extends string>(
  name: Name,
  handler: PromptHandler<undefined>,
): Prompt<Name>;
/**
 * Makes a prompt.
 * @throws TypeError for unreadable names, for a schema that cannot be converted to JSON Schema, for a default of a
 * required argument, and for an object of schemas that is not itself a schema
 * @see Spec 2026-07-28 server/prompts
 */
export function prompt<
  const Name extends string,
  const A extends PromptArgumentsSpec | undefined = undefined,
>(name: Name, options: PromptOptions<A>, handler: PromptHandler<A>): Prompt<Name, SentArguments<A>>;
export function prompt(
  name: string,
  given: PromptOptions<PromptArgumentsSpec> | PromptHandler<undefined>,
  handler = given as PromptHandler<PromptArgumentsSpec>,
): Prompt {
  checkName('prompt', name);
  if (typeof handler !== 'function')
    throw new TypeError(`prompt "${name}" needs a handler: prompt('${name}', { arguments }, (args) => ...)`);
  const options: PromptOptions<PromptArgumentsSpec> = typeof given === 'function' ? {} : given;
  rejectUnknownOptions(`prompt "${name}"`, options, knownOptions, {
    _meta: 'meta',
  });
  const { title, description, icons, needs = [], version } = options;
  const meta = metaOf(name, options.meta, version);
  const spec = options.arguments;
  const { listed, defaults } =
    spec === undefined ? noArguments : listedArguments(`the arguments of prompt "${name}"`, spec);
  const info: PromptInfo = Object.freeze({
    name,
    ...omitUndefined({ title, description, arguments: listed, icons, _meta: meta }),
  });
  return Object.freeze({
    name,
    info,
    [parts]: {
      copy: libraryCopy,
      templateVersion: version,
      defaults,
      required: (listed ?? []).filter(({ required }) => required === true).map((argument) => argument.name),
      check: isStandardSchema(spec) ? spec['~standard'].validate : undefined,
      needs: capabilitiesForNeeds(`prompt "${name}"`, needs),
      handler: handler as PromptParts['handler'],
    },
  });
}

const knownOptions: Record<keyof PromptOptions<undefined>, true> = {
  title: true,
  description: true,
  arguments: true,
  icons: true,
  version: true,
  meta: true,
  needs: true,
};

/** The internal parts of a prompt. */
export interface PromptParts {
  readonly copy: LibraryCopy;
  readonly templateVersion: string | undefined;
  readonly defaults: Readonly<Record<string, string>> | undefined;
  readonly required: readonly string[];
  readonly check: StandardSchema['~standard']['validate'] | undefined;
  readonly needs: JsonObject | undefined;
  handler(args: unknown, ctx: Context): HandlerResult<PromptReturnValue>;
}

const noArguments = { listed: undefined, defaults: undefined };

function metaOf(name: string, meta: JsonObject | undefined, version: unknown): JsonObject | undefined {
  if (version === undefined) return meta;
  if (typeof version !== 'string' || version === '')
    throw new TypeError(`prompt "${name}": "version" must be a non-empty string`);
  if (meta?.['version'] !== undefined && meta['version'] !== version)
    throw new TypeError(`prompt "${name}": "version" and "meta.version" differ`);
  return { ...meta, version };
}

const parts = Symbol.for('rxmcp.prompt');

/** Returns the internal parts of a prompt. Throws a TypeError for anything else, and for a prompt of another copy of this package. */
export function partsOf(value: Prompt): PromptParts {
  const found = readInternals<PromptParts>(parts, value, 'prompt');
  if (found === undefined)
    throw new TypeError('an entry of the prompts is not a prompt: use prompt(name, options, handler)');
  return found;
}

/** The arguments of a prompt: a schema of an object of strings, or the list that clients see. */
export type PromptArgumentsSpec = StandardSchema | readonly PromptArgumentDefinition[];

/** The arguments of a handler. */
export type PromptArguments<A> =
  A extends StandardSchema<infer _In, infer Out>
    ? Out
    : A extends readonly PromptArgumentDefinition[]
      ? ListedValues<A>
      : Readonly<Record<string, string>>;

/** The arguments that a client sends. */
type SentArguments<A> =
  A extends StandardSchema<infer In, infer _Out>
    ? In
    : A extends readonly PromptArgumentDefinition[]
      ? SentValues<A>
      : unknown;

type SentValues<A extends readonly PromptArgumentDefinition[]> = {
  readonly [K in A[number] as K extends { readonly required: true } ? K['name'] : never]: string;
} & {
  readonly [K in A[number] as K extends { readonly required: true } ? never : K['name']]?: string;
};

/** Handles the requests of a prompt. */
type PromptHandler<A> = (args: PromptArguments<A>, ctx: Context) => HandlerResult<PromptReturnValue>;

type ListedValues<A extends readonly PromptArgumentDefinition[]> = {
  readonly [K in A[number] as K extends Given ? K['name'] : never]: string;
} & {
  readonly [K in A[number] as K extends Given ? never : K['name']]?: string;
};

/** The arguments that are always present. */
type Given = { readonly required: true } | { readonly default: string };

/** The analysed arguments of a prompt. */
interface ListedArguments {
  /** The list that clients see. */
  readonly listed: readonly PromptArgument[];
  /** The values for missing arguments; undefined if a schema has the defaults, or no argument has one. */
  readonly defaults: Readonly<Record<string, string>> | undefined;
}

/** Lists the arguments. Throws a TypeError that begins with `where` for arguments that cannot be listed. */
function listedArguments(where: string, spec: PromptArgumentsSpec): ListedArguments {
  rejectUnwrappedSchemas(where, spec);
  const given = isStandardSchema(spec) ? fromSchema(where, spec) : spec;
  if (!Array.isArray(given)) throw new TypeError(`${where} are neither a Standard Schema nor a list`);
  const defaults = new Map<string, string>();
  const names = new Set<string>();
  const listed = (given as readonly PromptArgumentDefinition[]).map(({ default: otherwise, ...argument }) => {
    const { name, required } = argument;
    checkName(`argument of ${where}`, name);
    if (names.has(name)) throw new TypeError(`${where}: two arguments have the name ${quoted(name)}`);
    names.add(name);
    if (otherwise === undefined) return Object.freeze(argument);
    if (required === true)
      throw new TypeError(`${where}: ${quoted(name)} is required, so its default would never be used`);
    if (typeof otherwise !== 'string')
      throw new TypeError(`${where}: the default of ${quoted(name)} must be a string`);
    defaults.set(name, otherwise);
    return Object.freeze(withDefault(argument, quoted(otherwise)));
  });
  return { listed, defaults: defaults.size === 0 ? undefined : Object.fromEntries(defaults) };
}

/** The protocol has no member for a default, so the description states it. */
function withDefault(argument: PromptArgument, otherwise: string): PromptArgument {
  const { description } = argument;
  const note = `default: ${otherwise}`;
  return { ...argument, description: description === undefined ? note : `${description} (${note})` };
}

function fromSchema(where: string, schema: StandardSchema): PromptArgument[] {
  const { properties, required } = toJsonSchema(where, schema, 'input');
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
