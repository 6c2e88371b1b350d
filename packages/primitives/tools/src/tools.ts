import type { CallEvent, CallOptions, JsonObject, Remote } from '@rxmcp/core';
import { RxmcpError, RpcError } from '@rxmcp/core';
import type { CallSpec, HeaderParam, RemoteLink } from '@rxmcp/core/internal';
import {
  perRemote,
  following,
  isObject,
  findHeaderParams,
  quoted,
  recovering,
  failedCall,
  mapped,
  shared,
  rejectRenamedOptions,
} from '@rxmcp/core/internal';
import type { Observable } from 'rxjs';
import { checkedOutput, OutputSchemas } from './output-schemas.js';
import type { ToolSchemaValidator } from './schema.js';
import type { ToolInfo, ToolResult } from './types.js';
import { toolInfoOf, toolResultOf } from './types.js';

/** Calls and lists the tools of a remote: the result of {@link tools}. */
export interface Tools {
  /**
   * Calls a tool. A result with `isError` is emitted as a value; `orThrow()` makes it an error. Errors with RpcError (unknown
   * tool: -32602), CAPABILITY_NOT_SUPPORTED, INVALID_RESULT, TIMEOUT. Unsubscribing cancels the call. @stream call
   */
  call(name: string, args?: object, options?: CallOptions): Observable<ToolResult>;
  /** Calls a tool and emits its progress and logs, then the result. @stream call */
  events(name: string, args?: object, options?: CallOptions): Observable<CallEvent<ToolResult>>;
  /** Lists all tools, on all pages; an empty list if the server has no tools capability. @stream call */
  list(options?: CallOptions): Observable<readonly ToolInfo[]>;
  /** The current list of tools; without change notifications of the server it emits once and stays open. @stream state */
  readonly list$: Observable<readonly ToolInfo[]>;
}

/** Options of {@link tools}. */
export interface ToolsOptions {
  /**
   * Checks results against the output schemas of the last list (spec 2026-07-28 server/tools#output-schema): `validator()`
   * of `@rxmcp/json-schema`, or any function that makes a Standard Schema of a JSON Schema and checks synchronously. A call
   * errors with INVALID_RESULT if its result is invalid, and with INVALID_PARAMS, without being sent, if the schema is rejected.
   * The first call lists the tools if they were not listed yet. @default no check, with the quiet fault SCHEMA_UNCHECKED once
   */
  readonly validator?: ToolSchemaValidator;
}

/** Returns the functions that call and list the tools of a remote; the same object for the same remote and validator (spec 2026-07-28 server/tools). */
export function tools(remote: Remote, options: ToolsOptions = {}): Tools {
  rejectRenamedOptions('tools', options, { schemas: 'validator' });
  return uses(remote)(options.validator);
}

const uses = perRemote((inner) => {
  const headerParams = new HeaderParamIndex(inner);
  const outputs = new OutputSchemas(inner);
  const plain = useOf(inner, headerParams, outputs, undefined);
  const checking = new WeakMap<ToolSchemaValidator, Tools>();
  return (schemas: ToolSchemaValidator | undefined): Tools => {
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
  schemas: ToolSchemaValidator | undefined,
): Tools {
  const list = (options?: CallOptions): Observable<readonly ToolInfo[]> =>
    outputs.learned(
      headerParams.learned(
        inner.pages({
          method: 'tools/list',
          member: 'tools',
          capability: 'tools',
          decode: toolInfoOf,
          options,
        }),
      ),
    );
  const calling =
    <T>(start: (spec: CallSpec<ToolResult>) => Observable<T>) =>
    (name: string, args?: object, options?: CallOptions): Observable<T> => {
      const spec = callSpec(inner, headerParams, outputs, schemas, name, args, options);
      return RxmcpError.is(spec) ? failedCall(spec) : headerParams.retried(start(spec), () => list(options));
    };
  const call = calling((spec) => inner.call(spec));
  const events = calling((spec) => inner.events(spec));
  const use: Tools = {
    call,
    events,
    list,
    // Without the capability the list is empty, and no request is sent.
    list$: inner.live('tools', inner.has('tools', 'listChanged') ? [{ list: 'tools' }] : [], list),
  };
  if (schemas === undefined) return use;
  // Output schemas are known only from a list.
  const first = shared(list());
  const listed = <T>(start: () => Observable<T>): Observable<T> =>
    following(() => (outputs.known ? undefined : first), start);
  return {
    ...use,
    call: (...of) => listed(() => call(...of)),
    events: (...of) => listed(() => events(...of)),
  };
}

function callSpec(
  inner: RemoteLink,
  headerParams: HeaderParamIndex,
  outputs: OutputSchemas,
  schemas: ToolSchemaValidator | undefined,
  name: string,
  args: object = {},
  options?: CallOptions,
): CallSpec<ToolResult> | RxmcpError {
  if (typeof name !== 'string')
    return new RxmcpError('INVALID_PARAMS', 'tools/call: the name must be a string');
  if (!isObject(args))
    return new RxmcpError('INVALID_PARAMS', `tools/call "${name}": the arguments must be an object`);
  const promise = schemas === undefined ? undefined : outputs.promised(name, schemas);
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
    options,
    headerParams: () => headerParams.of(name),
  };
}

/** The headers of a request are not those that the server expects. */
const headerMismatch = -32020;

/** The arguments that are sent as headers with calls of one remote, from its last list. */
class HeaderParamIndex {
  #byTool: ReadonlyMap<string, readonly HeaderParam[]> = new Map();
  /** The tools that the last list left out. */
  #refused: ReadonlySet<string> = new Set();

  constructor(private readonly inner: RemoteLink) {}

  of(name: string): readonly HeaderParam[] | undefined {
    return this.#byTool.get(name);
  }

  /** A list without the tools whose schema requires headers that cannot be sent; a fault reports each new one. */
  learned(list: Observable<readonly ToolInfo[]>): Observable<readonly ToolInfo[]> {
    return this.inner.sendsHeaderParams ? mapped(list, (all) => this.#learn(all)) : list;
  }

  /** A call that is retried once with a fresh list when the server rejects its headers. */
  retried<T>(call: Observable<T>, list: () => Observable<readonly ToolInfo[]>): Observable<T> {
    if (!this.inner.sendsHeaderParams) return call;
    return recovering(call, (error) => {
      if (!RpcError.is(error) || error.code !== headerMismatch) return undefined;
      const fresh = recovering<unknown>(list(), () => failedCall(error));
      return following(
        () => fresh,
        () => call,
      );
    });
  }

  #learn(all: readonly ToolInfo[]): readonly ToolInfo[] {
    const byTool = new Map<string, readonly HeaderParam[]>();
    const refused = new Set<string>();
    const good = all.filter(({ name, inputSchema }) => {
      const mirrored = findHeaderParams(inputSchema);
      if (typeof mirrored !== 'string') {
        if (mirrored.length > 0) byTool.set(name, mirrored);
        return true;
      }
      refused.add(name);
      if (!this.#refused.has(name))
        this.inner.fault({ code: 'INVALID_TOOL', message: `tool ${quoted(name)} is left out: ${mirrored}` });
      return false;
    });
    this.#byTool = byTool;
    this.#refused = refused;
    return good;
  }
}
