import { type Call, type CallOptions, type JsonObject, type Remote, RxmcpError } from '@rxmcp/core';
import { perRemote, isObject, quoted, failedCall } from '@rxmcp/core/internal';
import { type Observable, switchMap } from 'rxjs';
import { type Completion, completionOf, maxValues } from './completion-result.js';
import type { VariableName } from './template-variables.js';

/** Arguments by name. */
type Filled = Readonly<Record<string, string>>;

/** Options of one completion. */
export interface CompleteOptions extends CallOptions {
  /** Known values of the other arguments; not sent to servers before 2025-06-18. @default none */
  readonly arguments?: Filled;
}

/** Options for completing while a user types. */
export interface TypeaheadOptions extends CallOptions {
  /** Known values of the other arguments; a function is called for each request. @default none */
  readonly arguments?: Filled | (() => Filled);
}

/** The completions of a remote. */
export interface Completions {
  /**
   * Requests values of a prompt's argument that match `typed`. Errors with RpcError (unknown prompt or
   * argument: -32602), CAPABILITY_NOT_SUPPORTED, INVALID_RESULT, TIMEOUT. Unsubscribing cancels the request. @stream call
   */
  prompt(name: string, argument: string, typed: string, options?: CompleteOptions): Call<Completion>;
  /** The same for a variable of a URI template. The template is named by its text, as the server lists it. @stream call */
  template<const T extends string>(
    text: T,
    variable: VariableName<T>,
    typed: string,
    options?: CompleteOptions,
  ): Call<Completion>;
  /**
   * Makes an operator from typed values to their completions. A new value cancels the request of the previous
   * one. An error ends the stream; subscribe again to continue. Use `debounceTime` to wait between keys.
   * @stream call, one for each value that is typed
   */
  promptTypeahead(
    name: string,
    argument: string,
    options?: TypeaheadOptions,
  ): (typed: Observable<string>) => Observable<Completion>;
  /** The same for a variable of a uri template. @stream call, one for each value that is typed */
  templateTypeahead<const T extends string>(
    text: T,
    variable: VariableName<T>,
    options?: TypeaheadOptions,
  ): (typed: Observable<string>) => Observable<Completion>;
}

/**
 * Returns the completions of a remote; made once per remote.
 * @see Spec 2026-07-28 server/utilities/completion
 */
export const completion: (remote: Remote) => Completions = perRemote((inner): Completions => {
  const complete = (
    ref: JsonObject,
    argument: string,
    typed: string,
    { arguments: filled, ...options }: CompleteOptions = {},
  ): Call<Completion> => {
    const wrong = mistake(ref, argument, typed, filled);
    if (wrong !== undefined)
      return failedCall(new RxmcpError('INVALID_PARAMS', `completion/complete: ${wrong}`));
    const tooMany = (count: number): void => {
      const message = `"completion/complete" returned ${count} values, more than ${maxValues}`;
      inner.fault({ code: 'TOO_MANY_VALUES', message });
    };
    return inner.call({
      method: 'completion/complete',
      params: {
        ref,
        argument: { name: argument, value: typed },
        ...(filled === undefined ? {} : { context: { arguments: filled } }),
      },
      // The first revision has no completions capability, so it counts as declared there.
      capability: 'completions',
      decode: (result) => completionOf(argument, result, tooMany),
      options,
    });
  };
  const typing =
    (ref: JsonObject, argument: string, { arguments: filled, ...options }: TypeaheadOptions = {}) =>
    (values: Observable<string>): Observable<Completion> =>
      values.pipe(
        switchMap((typed) => {
          const now = typeof filled === 'function' ? filled() : filled;
          return complete(ref, argument, typed, now === undefined ? options : { ...options, arguments: now });
        }),
      );
  return {
    prompt: (name, argument, typed, options) => complete(promptRef(name), argument, typed, options),
    template: (text, variable, typed, options) => complete(templateRef(text), variable, typed, options),
    promptTypeahead: (name, argument, options) => typing(promptRef(name), argument, options),
    templateTypeahead: (text, variable, options) => typing(templateRef(text), variable, options),
  };
});

function promptRef(name: string): JsonObject {
  return { type: 'ref/prompt', name };
}

function templateRef(uri: string): JsonObject {
  return { type: 'ref/resource', uri };
}

// Plain JavaScript may pass any value; the stream reports it as an error.
function mistake(ref: JsonObject, argument: unknown, typed: unknown, filled: unknown): string | undefined {
  if (typeof (ref['name'] ?? ref['uri']) !== 'string') return 'the prompt or template must be a string';
  if (typeof argument !== 'string') return 'the name of the argument must be a string';
  if (typeof typed !== 'string') return 'what was typed must be a string';
  if (filled === undefined) return undefined;
  if (!isObject(filled)) return 'the other arguments must be an object';
  const wrong = Object.keys(filled).find((name) => typeof filled[name] !== 'string');
  return wrong === undefined ? undefined : `the argument ${quoted(wrong)} must be a string`;
}
