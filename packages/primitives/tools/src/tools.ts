import type {
  Call,
  CallEvent,
  CallWithEvents,
  CallOptions,
  JsonObject,
  Remote,
  Server,
  StandardSchema,
} from '@rxmcp/core';
import { RxmcpError, RpcError } from '@rxmcp/core';
import type { CallSpec, HeaderParam, RemoteLink, StartCall } from '@rxmcp/core/internal';
import {
  awaitableCall,
  awaitableEvents,
  callStream,
  perRemote,
  following,
  isObject,
  findHeaderParams,
  quoted,
  recovering,
  failedCall,
  shared,
  rejectUnknownOptions,
} from '@rxmcp/core/internal';
import type { Observable } from 'rxjs';
import { checkedOutput, OutputSchemas } from './output-schemas.js';
import type { JsonSchemaCompiler } from './schema.js';
import type { Tool } from './tool.js';
import { type ToolInfo, type ToolResult, toolInfoOf, toolResultOf } from './types.js';

/** The tools of a remote. `Known` is the type of those that the client knows, as `tools<typeof server>(remote)` has it. */
export interface Tools<Known extends Tool = Tool> {
  /** Calls a tool that both sides share; its schemas are the types of the arguments and of the result. @stream call */
  call<T extends Tool>(tool: T, ...args: ToolCallParameters<T>): Call<ToolResultOf<T>>;
  /** Calls a tool and checks `structuredContent` against `output`. Errors with INVALID_RESULT. @stream call */
  call<Out>(
    name: Known['name'],
    args: object | undefined,
    options: ToolCallOptions<Out> & { readonly output: StandardSchema<unknown, Out> },
  ): Call<TypedToolResult<Out>>;
  /**
   * Calls a tool. A result with `isError` is emitted as a value; `orThrow()` makes it an error. Errors with RpcError (unknown
   * tool: -32602), CAPABILITY_NOT_SUPPORTED, INVALID_RESULT, TIMEOUT. Unsubscribing cancels the call. @stream call
   */
  call<const Name extends Known['name'], T = ToolByName<Known, Name>>(
    name: Name,
    ...args: ToolCallParameters<T>
  ): Call<ToolResultOf<T>>;
  /** Calls a tool and emits its progress and logs, then the result, which awaiting gives. @stream call */
  events<const Name extends Known['name']>(
    name: Name | ToolByName<Known, Name>,
    ...args: ToolCallParameters<ToolByName<Known, Name>>
  ): CallWithEvents<ToolResultOf<ToolByName<Known, Name>>>;
  /** Lists all tools, on all pages; an empty list if the server has no tools capability. @stream call */
  list(options?: CallOptions): Call<readonly ToolInfo[]>;
  /** The current list of tools; without change notifications of the server it emits once and stays open. @stream state */
  readonly list$: Observable<readonly ToolInfo[]>;
}

/** Options of one call of a tool. */
export interface ToolCallOptions<Out = unknown> extends CallOptions {
  /** Checks `structuredContent` and gives its type. @default no check */
  readonly output?: StandardSchema<unknown, Out> | undefined;
}

/** A result whose `structuredContent` has a known type, unless the tool failed. */
type TypedToolResult<Out> =
  | (ToolResult & { readonly isError?: false; readonly structuredContent: Out })
  | (ToolResult & { readonly isError: true });

/**
 * The result of a call of the tool `T`, as in `ToolResultOf<typeof greet>`: a {@link ToolResult} whose `structuredContent` has the type of
 * the `output` schema, unless `isError` is true.
 */
export type ToolResultOf<T> =
  T extends Tool<string, unknown, infer Out>
    ? unknown extends Out
      ? ToolResult
      : TypedToolResult<Out>
    : never;

/** The parameters `[args, options]` of `call` and `events` after the tool. The arguments may be left out if none is required. */
export type ToolCallParameters<T> =
  T extends Tool<string, infer In, unknown>
    ? unknown extends In
      ? [args?: object, options?: ToolCallOptions]
      : object extends In
        ? [args?: In, options?: ToolCallOptions]
        : [args: In, options?: ToolCallOptions]
    : never;

/** The member of `Known`, a union of tools, whose name is `Name`. */
export type ToolByName<Known extends Tool, Name extends string> = string extends Known['name']
  ? Tool
  : ToolsByName<Known>[Name & keyof ToolsByName<Known>];

// Fast to check with many tools: a lookup by name compares no tools, and `call` has it once, as a default of `T`.
type ToolsByName<Known extends Tool> = { readonly [T in Known as T['name']]: T };

/** The union of the tools in the type of a server, for {@link tools}: `ToolsOf<typeof server>`. */
export type ToolsOf<S> =
  S extends Server<infer Item> ? ([Extract<Item, Tool>] extends [never] ? Tool : Extract<Item, Tool>) : Tool;

/** Options of {@link tools}. */
export interface ToolsOptions {
  /**
   * Checks results against the output schemas of the last list: `validator()` of `@rxmcp/json-schema`, or any
   * function that makes a Standard Schema of a JSON Schema and checks synchronously. A call errors with INVALID_RESULT if its
   * result is invalid, and with INVALID_PARAMS, without being sent, if the schema is rejected. The first call lists
   * the tools if they were not listed yet. @default no check, with the quiet fault SCHEMA_UNCHECKED once
   * @see Spec 2026-07-28 server/tools#output-schema
   */
  readonly validator?: JsonSchemaCompiler;
}

/**
 * Returns the functions that call and list the tools of a remote; the same object for the same remote and validator.
 * With the type of the server, as in `tools<typeof server>(remote)`, names, arguments and results have its types.
 * @see Spec 2026-07-28 server/tools
 * @example
 * const { call, events, list } = tools(remote);
 * for (const { name } of await list()) console.log(name);
 * const { content } = await call('greet', { name: 'Ada' }, { idleTimeoutMs: 5_000 });
 * events('count').subscribe((event) => console.log(event.type));
 */
export function tools<S extends Server = Server>(
  remote: Remote,
  options: ToolsOptions = {},
): Tools<ToolsOf<S>> {
  rejectUnknownOptions('tools', options, { validator: true }, { schemas: 'validator' });
  return uses(remote)(options.validator) as unknown as Tools<ToolsOf<S>>;
}

const uses = perRemote((inner) => {
  const headerParams = new HeaderParamIndex(inner);
  const outputs = new OutputSchemas(inner);
  const plain = useOf(inner, headerParams, outputs, undefined);
  const checking = new WeakMap<JsonSchemaCompiler, Tools>();
  return (schemas: JsonSchemaCompiler | undefined): Tools => {
    if (schemas === undefined) return plain;
    const use = checking.get(schemas) ?? useOf(inner, headerParams, outputs, schemas);
    checking.set(schemas, use);
    return use;
  };
});

function useOf(
  inner: RemoteLink,
  headerParams: HeaderParamIndex,
  outputs: OutputSchemas,
  schemas: JsonSchemaCompiler | undefined,
): Tools {
  const finish = (all: readonly ToolInfo[]): readonly ToolInfo[] => {
    const usable = headerParams.learn(all);
    outputs.learn(usable);
    return usable;
  };
  const list = (options?: CallOptions): Call<readonly ToolInfo[]> =>
    inner.pages({
      method: 'tools/list',
      member: 'tools',
      capability: 'tools',
      decode: toolInfoOf,
      finish,
      options,
    });
  const calling =
    <T, C extends Observable<T>>(
      start: (spec: CallSpec<ToolResult>) => C,
      made: (start: StartCall<T>) => C,
    ) =>
    (tool: string | Tool, args?: object, options?: ToolCallOptions): C | Call<never> => {
      const name = typeof tool === 'object' ? tool.name : tool;
      if (typeof tool === 'object' && 'arguments' in tool)
        return failedCall(
          new TypeError(`tools/call: pass the arguments second, as in call('${name}', { ... })`),
        );
      const spec = callSpec(inner, headerParams, outputs, schemas, name, args, options);
      if (RxmcpError.is(spec)) return failedCall(spec);
      const call = start(spec);
      return inner.sendsHeaderParams ? made(headerParams.retried(call, () => list(options))) : call;
    };
  const call = calling<ToolResult, Call<ToolResult>>((spec) => inner.call(spec), awaitableCall);
  const events = calling<CallEvent<ToolResult>, CallWithEvents<ToolResult>>(
    (spec) => inner.events(spec),
    awaitableEvents,
  );
  const use = {
    call: call as Tools['call'],
    events: events as Tools['events'],
    list,
    // Without the capability the list is empty, and no request is sent.
    list$: inner.live('tools', inner.has('tools', 'listChanged') ? [{ list: 'tools' }] : [], list),
  };
  if (schemas === undefined) return use;
  // Output schemas are known only from a list.
  const first = shared(list());
  const listed = <T>(start: () => Observable<T>): StartCall<T> =>
    following(() => (outputs.known ? undefined : first), start);
  return {
    ...use,
    call: ((...of: Parameters<typeof call>) => awaitableCall(listed(() => call(...of)))) as Tools['call'],
    events: (...of: Parameters<typeof events>) => awaitableEvents(listed(() => events(...of))),
  };
}

function callSpec(
  inner: RemoteLink,
  headerParams: HeaderParamIndex,
  outputs: OutputSchemas,
  schemas: JsonSchemaCompiler | undefined,
  name: string,
  args: object = {},
  callOptions: ToolCallOptions = {},
): CallSpec<ToolResult> | RxmcpError {
  if (typeof name !== 'string')
    return new RxmcpError('INVALID_PARAMS', 'tools/call: the name must be a string');
  if (!isObject(callOptions as unknown))
    return new RxmcpError('INVALID_PARAMS', `tools/call "${name}": the options must be an object`);
  if (!isObject(args))
    return new RxmcpError('INVALID_PARAMS', `tools/call "${name}": the arguments must be an object`);
  const { output } = callOptions;
  const promise = output ?? (schemas === undefined ? undefined : outputs.promised(name, schemas));
  if (RxmcpError.is(promise)) return promise;
  return {
    method: 'tools/call',
    params: { name, arguments: args },
    capability: 'tools',
    decode: (result: JsonObject) => {
      const checked = toolResultOf(name, result, inner);
      if (promise !== undefined) return checkedOutput(name, promise, checked);
      return schemas === undefined ? outputs.unchecked(name, checked) : checked;
    },
    options: 'output' in callOptions ? withoutOutput(callOptions) : callOptions,
    headerParams: () => headerParams.of(name),
  };
}

function withoutOutput({ output: _, ...options }: ToolCallOptions): CallOptions {
  return options;
}

/** The headers of a request are not those that the server expects. */
const headerMismatch = -32020;

/** The arguments that are sent as headers with calls of one remote, from its last list. */
class HeaderParamIndex {
  #byTool: ReadonlyMap<string, readonly HeaderParam[]> = new Map();
  /** The tools that the last list left out. */
  #rejected: ReadonlySet<string> = new Set();

  constructor(private readonly inner: RemoteLink) {}

  of(name: string): readonly HeaderParam[] | undefined {
    return this.#byTool.get(name);
  }

  /** A call that is retried once with a fresh list when the server rejects its headers. */
  retried<T>(call: Observable<T>, list: () => Observable<readonly ToolInfo[]>): StartCall<T> {
    return recovering(call, (error) => {
      if (!RpcError.is(error) || error.code !== headerMismatch) return undefined;
      const fresh = awaitableCall<unknown>(recovering<unknown>(list(), () => failedCall(error)));
      return callStream(
        following(
          () => fresh,
          () => call,
        ),
      );
    });
  }

  /** Returns a list without the tools whose schema requires headers that cannot be sent; a fault reports each new one. */
  learn(all: readonly ToolInfo[]): readonly ToolInfo[] {
    if (!this.inner.sendsHeaderParams) return all;
    const byTool = new Map<string, readonly HeaderParam[]>();
    const rejected = new Set<string>();
    const good = all.filter(({ name, inputSchema }) => {
      const mirrored = findHeaderParams(inputSchema);
      if (typeof mirrored !== 'string') {
        if (mirrored.length > 0) byTool.set(name, mirrored);
        return true;
      }
      rejected.add(name);
      if (!this.#rejected.has(name))
        this.inner.fault({ code: 'INVALID_TOOL', message: `tool ${quoted(name)} is left out: ${mirrored}` });
      return false;
    });
    this.#byTool = byTool;
    this.#rejected = rejected;
    return good;
  }
}
