import { type Context, type HandlerResult, type JsonObject, type Offer, RxmcpError } from '@rxmcp/core';
import {
  deferResult,
  checkName,
  checkUriLength,
  defineServerOffer,
  describeValue,
  isObject,
  quoted,
} from '@rxmcp/core/internal';
import type { CompletionSource, CompletionHandler } from './completion-source.js';
import { toCompletion, toCompletionHandler } from './completion-source.js';
import { type VariableName, variablesOf } from './template-variables.js';

/** Sources by the name of a prompt, then by the name of its argument. An empty list means no suggestions. */
export type PromptSources = Readonly<Record<string, Readonly<Record<string, CompletionSource>>>>;

/** Sources by the text of a URI template, then by the name of its variable. Variables may be omitted. */
export type TemplateSources<T extends string = string> = {
  readonly [Text in T]: { readonly [Name in VariableName<Text>]?: CompletionSource };
};

/** The completions that a server offers. */
export interface CompletionSources<T extends string = string> {
  readonly prompts?: PromptSources;
  readonly templates?: TemplateSources<T>;
}

/**
 * Offers completions for arguments of prompts and variables of URI templates. A request for any other name gets error -32602.
 * @throws TypeError for a source that is neither a list of strings nor a function, and for a variable that its
 * template does not have
 * @see Spec 2026-07-28 server/utilities/completion
 */
export function offerCompletion<const T extends string>(sources: CompletionSources<T>): Offer {
  const known = {
    prompt: promptSources(sources.prompts ?? {}),
    template: templateSources(sources.templates ?? {}),
  };
  const resolve: CompletionResolver = ({ kind, of, argument, typed, knownArguments }, ctx) => {
    const byArgument = known[kind].get(of);
    if (byArgument === undefined) return undefined;
    const suggest = byArgument.get(argument);
    if (suggest === undefined)
      throw invalid(`nothing is known of ${quoted(argument)} of ${kind} ${quoted(of)}`);
    return toCompletion(
      `the completion of ${quoted(argument)} of ${kind} ${quoted(of)}`,
      suggest(typed, ctx, knownArguments),
    );
  };
  return offerResolvers([resolve]);
}

/** Returns the result of a completion, or undefined if it does not know the prompt or template. */
export interface CompletionResolver {
  (request: CompleteRequest, ctx: Context): HandlerResult<JsonObject> | undefined;
  /** Returns what to wait for before a request can be resolved. */
  readonly ready?: (request: CompleteRequest) => Promise<unknown> | undefined;
}

/** Offers completions of the first resolver that knows the prompt or template. */
export function offerResolvers(resolvers: readonly CompletionResolver[]): Offer {
  return defineServerOffer({
    name: 'completion',
    side: 'server',
    capabilities: { completions: {} },
    mergeable: {
      source: resolvers,
      options: {},
      make: (source) => offerResolvers(source as readonly CompletionResolver[]),
    },
    methods: [
      {
        method: 'completion/complete',
        handle(params, ctx) {
          const request = requestOf(params);
          const resolved = (): HandlerResult<JsonObject> => {
            for (const resolve of resolvers) {
              const result = resolve(request, ctx);
              if (result !== undefined) return result;
            }
            throw nothingKnown(request.kind, request.of);
          };
          const waiting = resolvers.flatMap((resolve) => resolve.ready?.(request) ?? []);
          return waiting.length === 0 ? resolved() : deferResult(Promise.all(waiting), resolved);
        },
        notFound(params) {
          const { kind, of } = requestOf(params);
          throw nothingKnown(kind, of);
        },
      },
    ],
  });
}

function nothingKnown(kind: string, of: string): RxmcpError {
  return invalid(`nothing is known of ${kind} ${quoted(of)}`);
}

type Known = ReadonlyMap<string, ReadonlyMap<string, CompletionHandler>>;

function promptSources(prompts: PromptSources): Known {
  const entries = Object.entries(prompts).map(([name, sources]) => {
    checkName('prompt', name);
    return [name, suggestions(`prompt ${quoted(name)}`, sources)] as const;
  });
  return new Map(entries);
}

function templateSources(templates: TemplateSources | object): Known {
  const entries = Object.entries(templates as TemplateSources).map(([text, sources]) => {
    const where = `template ${quoted(text)}`;
    const variables = variablesOf(text);
    if (variables.size === 0) throw new TypeError(`${where} has no variable`);
    const given = suggestions(where, sources);
    for (const name of given.keys())
      if (!variables.has(name)) throw new TypeError(`${where} has no variable ${quoted(name)}`);
    // The template defines its variables: one without a source is known, with no suggestions.
    return [text, new Map([...[...variables].map((name) => [name, nothing] as const), ...given])] as const;
  });
  return new Map(entries);
}

function suggestions(where: string, sources: unknown): ReadonlyMap<string, CompletionHandler> {
  if (typeof sources !== 'object' || sources === null)
    throw new TypeError(`${where} needs an object of sources by argument`);
  const entries = Object.entries(sources as Readonly<Record<string, CompletionSource | undefined>>).flatMap(
    ([name, source]) => {
      if (source === undefined) return [];
      checkName(`argument of ${where}`, name);
      return [[name, toCompletionHandler(`${quoted(name)} of ${where}`, source)] as const];
    },
  );
  return new Map(entries);
}

const nothing: CompletionHandler = () => [];

/** A completion that a client requests. */
export interface CompleteRequest {
  readonly kind: 'prompt' | 'template';
  /** The name of the prompt, or the text of the template. */
  readonly of: string;
  readonly argument: string;
  readonly typed: string;
  /** What is known of the other arguments. */
  readonly knownArguments: Readonly<Record<string, string>>;
}

/** Checks the parameters of `completion/complete`. Throws INVALID_PARAMS. */
function requestOf({ ref, argument, context }: JsonObject): CompleteRequest {
  if (!isObject(ref)) throw invalid('"ref" must be an object');
  if (!isObject(argument)) throw invalid('"argument" must be an object');
  const { name, value } = argument;
  if (typeof name !== 'string') throw invalid('"argument.name" must be a string');
  if (typeof value !== 'string') throw invalid('"argument.value" must be a string');
  return { ...referred(ref), argument: name, typed: value, knownArguments: filledBy(context) };
}

/** An error of the parameters. */
function invalid(problem: string): RxmcpError {
  return new RxmcpError('INVALID_PARAMS', `completion/complete: ${problem}`);
}

function referred({ type, name, uri }: JsonObject): Pick<CompleteRequest, 'kind' | 'of'> {
  if (type === 'ref/prompt') {
    if (typeof name !== 'string') throw invalid('"ref.name" must be a string');
    return { kind: 'prompt', of: name };
  }
  if (type === 'ref/resource') {
    if (typeof uri !== 'string') throw invalid('"ref.uri" must be a string');
    checkUriLength('completion/complete: "ref.uri"', uri);
    return { kind: 'template', of: uri };
  }
  throw invalid(`"ref.type" must be "ref/prompt" or "ref/resource", not ${describeValue(type)}`);
}

function filledBy(context: unknown): Readonly<Record<string, string>> {
  if (context === undefined) return none;
  if (!isObject(context)) throw invalid('"context" must be an object');
  const { arguments: filled } = context;
  if (filled === undefined) return none;
  if (!isObject(filled)) throw invalid('"context.arguments" must be an object');
  const wrong = Object.keys(filled).find((name) => typeof filled[name] !== 'string');
  if (wrong !== undefined) throw invalid(`"context.arguments": ${quoted(wrong)} must be a string`);
  return filled as Readonly<Record<string, string>>;
}

const none: Readonly<Record<string, string>> = Object.freeze({});
