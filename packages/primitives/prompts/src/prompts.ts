import type { Call, CallOptions, JsonObject, Remote, Server } from '@rxmcp/core';
import { RxmcpError } from '@rxmcp/core';
import { perRemote, isObject, droppedMemberReporter, quoted, failedCall } from '@rxmcp/core/internal';
import type { Observable } from 'rxjs';
import type { Prompt } from './prompt.js';
import { type PromptInfo, type PromptResult, promptInfoOf, promptResultOf } from './types.js';

/** The prompts of a remote. */
export interface Prompts<Known extends Prompt = Prompt> {
  /** Gets the messages of a prompt that both sides share; its arguments have its types. @stream call */
  get<P extends Prompt>(prompt: P, ...args: PromptCallParameters<P>): Call<PromptResult>;
  /**
   * Gets the messages of a prompt. Errors with RpcError (unknown prompt, missing arguments: -32602), CAPABILITY_NOT_SUPPORTED, INVALID_RESULT,
   * TIMEOUT. Unsubscribing cancels the request. @stream call
   */
  get<const Name extends Known['name']>(
    name: Name,
    ...args: PromptCallParameters<PromptByName<Known, Name>>
  ): Call<PromptResult>;
  /** Lists all prompts, on all pages; an empty list if the server has no prompts capability. @stream call */
  list(options?: CallOptions): Call<readonly PromptInfo[]>;
  /** The current list of prompts; without change notifications of the server it emits once and stays open. @stream state */
  readonly list$: Observable<readonly PromptInfo[]>;
}

/** What a request of a prompt takes after its name. The arguments may be left out if none is required. */
export type PromptCallParameters<P> =
  P extends Prompt<string, infer In>
    ? unknown extends In
      ? [args?: Readonly<Record<string, string>>, options?: CallOptions]
      : object extends In
        ? [args?: In, options?: CallOptions]
        : [args: In, options?: CallOptions]
    : never;

/** The prompt of a name. */
export type PromptByName<Known extends Prompt, Name extends string> = string extends Known['name']
  ? Prompt
  : Extract<Known, { readonly name: Name }>;

/** The prompts that a server offers, for {@link prompts}. */
export type PromptsOf<S> =
  S extends Server<infer Item>
    ? [Extract<Item, Prompt>] extends [never]
      ? Prompt
      : Extract<Item, Prompt>
    : Prompt;

/**
 * Returns the prompts of a remote; made once per remote. With the type of the server, as in
 * `prompts<typeof server>(remote)`, names and arguments have its types.
 * @see Spec 2026-07-28 server/prompts
 */
export function prompts<S extends Server = Server>(remote: Remote): Prompts<PromptsOf<S>> {
  return uses(remote) as unknown as Prompts<PromptsOf<S>>;
}

const uses = perRemote((inner): Prompts => {
  const list = (options?: CallOptions): Call<readonly PromptInfo[]> => {
    const method = 'prompts/list';
    const reporter = droppedMemberReporter(inner, method);
    const decode = (entry: unknown): PromptInfo | undefined => promptInfoOf(entry, reporter);
    return inner.pages({ method, member: 'prompts', capability: 'prompts', decode, options });
  };
  return {
    get: (prompt: string | Prompt, args: Readonly<Record<string, unknown>> = {}, options?: CallOptions) => {
      const name = typeof prompt === 'object' ? prompt.name : prompt;
      if (typeof prompt === 'object' && 'arguments' in prompt)
        return failedCall(
          new TypeError(`prompts/get: pass the arguments second, as in get('${name}', { ... })`),
        );
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
