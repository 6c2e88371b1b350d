import type {
  ContentBlock,
  Context,
  Icon,
  InferInput,
  JsonObject,
  HandlerResult,
  RequiredCapability,
  StandardSchema,
} from '@rxmcp/core';
import type { HeaderParam, LibraryCopy } from '@rxmcp/core/internal';
import {
  checkName,
  libraryCopy,
  readInternals,
  findHeaderParams,
  capabilitiesForNeeds,
  isStandardSchema,
  rejectUnknownOptions,
  omitUndefined,
} from '@rxmcp/core/internal';
import type { CompiledSchema, ToolSchema } from './schema.js';
import { compileSchema, objectRoot, checkSerializedToo } from './schema.js';
import type { JsonSchema, ToolAnnotations, ToolInfo, ToolResult } from './types.js';

/** The metadata of a tool and its schemas. Each schema is a whole one, such as `z.object({ … })`, not an object of schemas. */
export type ToolOptions<I extends ToolSchema | undefined, O extends ToolSchema | undefined> = ToolMetadata<
  I,
  O
> &
  WholeSchemas<I, O>;

/** The members of {@link ToolOptions}. */
interface ToolMetadata<I extends ToolSchema | undefined, O extends ToolSchema | undefined> {
  /** For people. @default the name */
  readonly title?: string;
  /** For the model. */
  readonly description?: string;
  /** Arguments are checked against it before the handler runs, against a raw JSON Schema only with `validator` of {@link offerTools}. @default any object */
  readonly input?: I;
  /** The handler's value is checked against it and becomes `structuredContent`, with its JSON as text. @default no data */
  readonly output?: O;
  readonly annotations?: ToolAnnotations;
  readonly icons?: readonly Icon[];
  /** The `_meta` of its list entry. */
  readonly meta?: JsonObject;
  /** Required client capabilities: calls of other clients are rejected before the handler runs; `elicitation` means forms. */
  readonly needs?: readonly RequiredCapability[];
}

/** The type of the arguments that a handler receives: the output type of its Standard Schema, otherwise any object. */
export type ToolArguments<I> = I extends StandardSchema<infer _In, infer Out> ? Out : JsonObject;

/**
 * The value that the handler of a tool ends with, returned directly or as the last item of a stream: a whole result, a content block, several blocks, or a text. With an `output` schema: the data, or a
 * whole result with `structuredContent` or `isError`.
 */
export type ToolReturnValue<O> = O extends StandardSchema
  ? InferInput<O> | ToolResult
  : O extends undefined
    ? ToolResult | ContentBlock | readonly ContentBlock[] | string
    : unknown;

/** The key of the types of a tool: there is no value. */
declare const types: unique symbol;

/**
 * A tool that a model can call; made by {@link tool}, served by {@link offerTools}. `Input` is the type of the arguments as a
 * client sends them, `Output` that of `structuredContent`.
 */
export interface Tool<Name extends string = string, Input = unknown, Output = unknown> {
  /** The name by which clients call it. */
  readonly name: Name;
  readonly [types]?: { readonly input: Input; readonly output: Output };
  /** Its entry in the list. */
  readonly info: ToolInfo;
  readonly [parts]: ToolParts;
}

/** The type of the arguments that a client sends for an `input` schema. */
type SentArguments<I> = I extends StandardSchema<infer In, infer _Out> ? In : unknown;

/** The type of `structuredContent` for an `output` schema. */
type SentOutput<O> = O extends StandardSchema<infer _In, infer Out> ? Out : unknown;

/**
 * Handles the calls of a {@link tool}: `I` and `O` are the types of its `input` and `output` schemas. It returns the value, or a promise or a stream that ends
 * with it; an error that it throws is an error result with a general text, a {@link ToolError} one with its message.
 */
export type ToolHandler<I, O> = (args: ToolArguments<I>, ctx: Context) => HandlerResult<ToolReturnValue<O>>;

/**
 * Creates a tool without options: its arguments are any object. Most tools have options, see the second form.
 * @param handler - is called for each call, with the arguments and a `Context`
 */
export function tool<const Name extends string>(
  name: Name,
  handler: ToolHandler<undefined, undefined>,
): Tool<Name>;
/**
 * Creates a tool and converts its schemas to JSON Schema once.
 * @param handler - is called for each call, with the checked arguments and a `Context`; see {@link ToolHandler}
 * @throws TypeError for an unreadable name, for a schema that cannot be converted, for an input that does not
 * describe an object, such as `z.string()`, and for an object of schemas that is not itself a schema
 * @see Spec 2026-07-28 server/tools
 * @example
 * const add = tool(
 *   'add',
 *   { description: 'Adds two numbers.', input: z.object({ a: z.number(), b: z.number() }) },
 *   ({ a, b }) => `${a} + ${b} = ${a + b}`,
 * );
 */
export function tool<
  const Name extends string,
  I extends ToolSchema | undefined = undefined,
  O extends ToolSchema | undefined = undefined,
>(
  name: Name,
  options: ToolOptions<I, O>,
  handler: ToolHandler<I, O>,
): Tool<Name, SentArguments<I>, SentOutput<O>>;
export function tool(
  name: string,
  given: ToolOptions<ToolSchema, ToolSchema> | ToolHandler<undefined, undefined>,
  handler = given as ToolHandler<ToolSchema, ToolSchema>,
): Tool {
  checkName('tool', name);
  if (typeof handler !== 'function')
    throw new TypeError(
      `tool "${name}" needs a handler: tool('${name}', { input }, (args) => ...)${v1Hint(given)}`,
    );
  const options: ToolOptions<ToolSchema, ToolSchema> = typeof given === 'function' ? {} : given;
  checkToolOptions(name, options);
  const { title, description, annotations, icons, meta, needs = [] } = options;
  const input = compiled(`the input of tool "${name}"`, options.input, 'input');
  const output = compiled(`the output of tool "${name}"`, options.output, 'output');
  const headerParams = input === undefined ? [] : findHeaderParams(input.json);
  if (typeof headerParams === 'string') throw new TypeError(`the input of tool "${name}": ${headerParams}`);
  const info: ToolInfo = Object.freeze({
    name,
    ...omitUndefined({ title, description }),
    inputSchema: input === undefined ? anyObject : objectRoot(`the input of tool "${name}"`, input.json),
    ...(output === undefined ? {} : { outputSchema: output.json }),
    ...omitUndefined({ annotations, icons, _meta: meta }),
  });
  return Object.freeze({
    name,
    info,
    [parts]: {
      copy: libraryCopy,
      checkInput: input?.check,
      raw: rawOf(input, output),
      headerParams,
      structured: output !== undefined,
      checkOutput: output?.check === undefined ? undefined : checkSerializedToo(output.check),
      needs: capabilitiesForNeeds(`tool "${name}"`, needs),
      handler: handler as ToolParts['handler'],
    },
  });
}

const knownOptions: Record<keyof ToolMetadata<undefined, undefined>, true> = {
  title: true,
  description: true,
  input: true,
  output: true,
  annotations: true,
  icons: true,
  meta: true,
  needs: true,
};

const alike = {
  inputSchema: 'input',
  outputSchema: 'output',
  parameters: 'input',
  schema: 'input',
  args: 'input',
  _meta: 'meta',
};

function checkToolOptions(name: string, options: object): void {
  const loose = Object.keys(options).find(
    (key) => !Object.hasOwn(knownOptions, key) && isStandardSchema((options as Record<string, unknown>)[key]),
  );
  if (loose !== undefined && !Object.hasOwn(alike, loose))
    throw new TypeError(
      `tool "${name}": "${loose}" is a schema of one argument. Wrap them: { input: z.object({ ${loose}: ... }) }`,
    );
  rejectUnknownOptions(`tool "${name}"`, options, knownOptions, alike);
}

// SDK v1 had tool(name, description, shape, handler).
function v1Hint(given: unknown): string {
  return typeof given === 'string' ? '. A description is an option: { description, input }' : '';
}

/** The internal parts of a tool. */
export interface ToolParts {
  readonly copy: LibraryCopy;
  readonly checkInput: CompiledSchema['check'];
  /** Raw JSON Schemas, which cannot check a value without a validator. */
  readonly raw: { readonly input?: JsonSchema; readonly output?: JsonSchema } | undefined;
  /** The arguments that are also sent as headers. */
  readonly headerParams: readonly HeaderParam[];
  readonly structured: boolean;
  readonly checkOutput: CompiledSchema['check'];
  readonly needs: JsonObject | undefined;
  handler(args: unknown, ctx: Context): HandlerResult<unknown>;
}

const parts = Symbol.for('rxmcp.tool');

/** Returns the internal parts of a tool. Throws a TypeError for anything else, and for a tool of another copy of this package. */
export function partsOf(value: Tool): ToolParts {
  const found = readInternals<ToolParts>(parts, value, 'tool');
  if (found === undefined)
    throw new TypeError('an entry of the tools is not a tool: use tool(name, options, handler)');
  return found;
}

function rawOf(input: CompiledSchema | undefined, output: CompiledSchema | undefined): ToolParts['raw'] {
  const jsonOf = (side: CompiledSchema | undefined): JsonSchema | undefined =>
    side?.check === undefined ? side?.json : undefined;
  const [taken, given] = [jsonOf(input), jsonOf(output)];
  if (taken === undefined && given === undefined) return undefined;
  return omitUndefined({ input: taken, output: given });
}

// Some clients and models' APIs reject a schema of an object without `properties`.
const anyObject = Object.freeze({ type: 'object', properties: Object.freeze({}) });

function compiled(
  where: string,
  schema: ToolSchema | undefined,
  side: 'input' | 'output',
): CompiledSchema | undefined {
  return schema === undefined ? undefined : compileSchema(where, schema, side);
}

/** The compile-time error for an object of schemas in place of one schema. */
export type Unwrapped =
  'These are schemas in an object that is not a schema: wrap them, as in z.object({ ... })';

/** Options whose input and output are whole schemas: no `{ name: z.string() }` for `z.object({ name: z.string() })`. */
type WholeSchemas<I, O> = Whole<'input', I> & Whole<'output', O>;

type Whole<Member extends string, S> = [LooseSchemas<S>] extends [never]
  ? unknown
  : { readonly [M in Member]?: Unwrapped };

/** The names of the members that are schemas, in an object that is not a schema itself. */
type LooseSchemas<S> = unknown extends S
  ? never
  : S extends StandardSchema
    ? never
    : {
        [Name in keyof S]: unknown extends S[Name] ? never : S[Name] extends StandardSchema ? Name : never;
      }[keyof S];
