import type { Call, CallOptions, JsonObject, Remote } from '@rxmcp/core';
import { RxmcpError } from '@rxmcp/core';
import { perRemote, isObject, droppedMemberReporter, quoted, failedCall } from '@rxmcp/core/internal';
import type { Observable } from 'rxjs';
import type { PromptInfo, PromptResult } from './types.js';
import { promptInfoOf, promptResultOf } from './types.js';

/** The prompts of a remote. */
export interface Prompts {
  /**
   * Gets the messages of a prompt. Errors with RpcError (unknown prompt, missing arguments: -32602), CAPABILITY_NOT_SUPPORTED, INVALID_RESULT,
   * TIMEOUT. Unsubscribing cancels the request. @stream call
   */
  get(name: string, args?: Readonly<Record<string, string>>, options?: CallOptions): Call<PromptResult>;
  /** Lists all prompts, on all pages; an empty list if the server has no prompts capability. @stream call */
  list(options?: CallOptions): Call<readonly PromptInfo[]>;
  /** The current list of prompts; without change notifications of the server it emits once and stays open. @stream state */
  readonly list$: Observable<readonly PromptInfo[]>;
}

/** Returns the prompts of a remote; made once per remote (spec 2026-07-28 server/prompts). */
export const prompts: (remote: Remote) => Prompts = perRemote((inner): Prompts => {
  const list = (options?: CallOptions): Call<readonly PromptInfo[]> => {
    const method = 'prompts/list';
    const reporter = droppedMemberReporter(inner, method);
    const decode = (entry: unknown): PromptInfo | undefined => promptInfoOf(entry, reporter);
    return inner.pages({ method, member: 'prompts', capability: 'prompts', decode, options });
  };
  return {
    get: (name, args = {}, options) => {
      const wrong = mistake(name, args);
      if (wrong !== undefined) return failedCall(new RxmcpError('INVALID_PARAMS', `prompts/get: ${wrong}`));
      return inner.call({
        method: 'prompts/get',
        params: { name, arguments: args },
        capability: 'prompts',
        decode: (result: JsonObject) =>
          promptResultOf(name, result, droppedMemberReporter(inner, 'prompts/get')),
        options,
      });
    },
    list,
    // Without the capability the list is empty, and no request is sent.
    list$: inner.live('prompts', inner.has('prompts', 'listChanged') ? [{ list: 'prompts' }] : [], list),
  };
});

function mistake(name: unknown, args: unknown): string | undefined {
  if (typeof name !== 'string') return 'the name must be a string';
  if (!isObject(args)) return 'the arguments must be an object';
  const wrong = Object.keys(args).find((argument) => typeof args[argument] !== 'string');
  return wrong === undefined ? undefined : `the argument ${quoted(wrong)} must be a string`;
}
