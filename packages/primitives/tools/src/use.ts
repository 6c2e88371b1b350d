import type { CallEvent, CallOptions, JsonObject, Remote } from '@rxmcp/core';
import { McpError } from '@rxmcp/core';
import type { CallSpec } from '@rxmcp/core/internal';
import { attached, isObject, refusedCall } from '@rxmcp/core/internal';
import type { Observable } from 'rxjs';
import { Mirrors } from './mirrors.js';
import type { ToolInfo, ToolResult } from './types.js';
import { toolInfoOf, toolResultOf } from './types.js';

/** The tools of a remote. */
export interface Tools {
  /**
   * Calls a tool. A result that says `isError` is a value like any other, see `orThrow()`. Errors with RpcError (unknown
   * tool: -32602), CAPABILITY_ABSENT, INVALID_RESULT, TIMEOUT. Unsubscribing cancels the call. @stream call
   */
  call(name: string, args?: object, options?: CallOptions): Observable<ToolResult>;
  /** The same with its progress and logs; the result comes last. @stream call */
  events(name: string, args?: object, options?: CallOptions): Observable<CallEvent<ToolResult>>;
  /** All tools, whatever the number of pages; none where the server has no such capability. @stream call */
  list(options?: CallOptions): Observable<readonly ToolInfo[]>;
  /** The tools as they are now; emits once and stays where the server does not announce changes. @stream state */
  readonly list$: Observable<readonly ToolInfo[]>;
}

/** The tools of a remote; made once per remote (spec 2026-07-28 server/tools). */
export const tools: (remote: Remote) => Tools = attached((inner): Tools => {
  const mirrors = new Mirrors(inner);
  const list = (options?: CallOptions): Observable<readonly ToolInfo[]> =>
    mirrors.learnt(
      inner.pages({
        method: 'tools/list',
        member: 'tools',
        capability: 'tools',
        decode: toolInfoOf,
        options,
      }),
    );
  return {
    call: (name, args, options) => {
      const spec = callSpec(mirrors, name, args, options);
      return McpError.is(spec) ? refusedCall(spec) : mirrors.retried(inner.call(spec), () => list(options));
    },
    events: (name, args, options) => {
      const spec = callSpec(mirrors, name, args, options);
      return McpError.is(spec) ? refusedCall(spec) : mirrors.retried(inner.events(spec), () => list(options));
    },
    list,
    // What the server does not announce is not asked for.
    list$: inner.live('tools', inner.has('tools', 'listChanged') ? [{ list: 'tools' }] : [], list),
  };
});

function callSpec(
  mirrors: Mirrors,
  name: string,
  args: object = {},
  options?: CallOptions,
): CallSpec<ToolResult> | McpError {
  if (typeof name !== 'string')
    return new McpError('PARAMS_INVALID', 'tools/call: the name must be a string');
  if (!isObject(args))
    return new McpError('PARAMS_INVALID', `tools/call "${name}": the arguments must be an object`);
  return {
    method: 'tools/call',
    params: { name, arguments: args },
    capability: 'tools',
    decode: (result: JsonObject) => toolResultOf(name, result),
    options,
    mirrored: () => mirrors.of(name),
  };
}
