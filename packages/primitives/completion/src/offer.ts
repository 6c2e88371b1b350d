import type { McpError, Offer } from '@rxmcp/core';
import { checkName, defineOffer, quoted } from '@rxmcp/core/internal';
import { invalid, requestOf } from './request.js';
import type { Source, Suggest } from './source.js';
import { completed, suggestOf } from './source.js';
import type { VariableName } from './variables.js';
import { variablesOf } from './variables.js';

/** Sources by the name of a prompt, then by that of its argument. An empty list says that there is nothing to suggest. */
export type PromptSources = Readonly<Record<string, Readonly<Record<string, Source>>>>;

/** Sources by the text of a uri template, then by the name of its variable. Variables may be left out. */
export type TemplateSources<T extends string = string> = {
  readonly [Text in T]: { readonly [Name in VariableName<Text>]?: Source };
};

/** What a server completes. */
export interface CompletionSources<T extends string = string> {
  readonly prompts?: PromptSources;
  readonly templates?: TemplateSources<T>;
}

/**
 * Offers values for the arguments of prompts and the variables of uri templates (spec 2026-07-28
 * server/utilities/completion). Anything that is not named here is answered with -32602. Throws a TypeError for a source that
 * is neither a list of strings nor a function, and for a variable that its template does not have.
 */
export function offerCompletion<const T extends string>(sources: CompletionSources<T>): Offer {
  const known = {
    prompt: promptSources(sources.prompts ?? {}),
    template: templateSources(sources.templates ?? {}),
  };
  return defineOffer({
    name: 'completion',
    side: 'server',
    capabilities: { completions: {} },
    methods: [
      {
        method: 'completion/complete',
        handle(params, ctx) {
          const { kind, of, argument, typed, filled } = requestOf(params);
          const byArgument = known[kind].get(of);
          if (byArgument === undefined) throw nothingKnown(kind, of);
          const suggest = byArgument.get(argument);
          if (suggest === undefined)
            throw invalid(`nothing is known of ${quoted(argument)} of ${kind} ${quoted(of)}`);
          return completed(
            `the completion of ${quoted(argument)} of ${kind} ${quoted(of)}`,
            suggest(typed, ctx, filled),
          );
        },
        absent(params) {
          const { kind, of } = requestOf(params);
          throw nothingKnown(kind, of);
        },
      },
    ],
  });
}

function nothingKnown(kind: string, of: string): McpError {
  return invalid(`nothing is known of ${kind} ${quoted(of)}`);
}

type Known = ReadonlyMap<string, ReadonlyMap<string, Suggest>>;

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
    // A template says itself which variables it has: one without a source is known, there is only nothing to suggest.
    return [text, new Map([...[...variables].map((name) => [name, nothing] as const), ...given])] as const;
  });
  return new Map(entries);
}

function suggestions(where: string, sources: unknown): ReadonlyMap<string, Suggest> {
  if (typeof sources !== 'object' || sources === null)
    throw new TypeError(`${where} needs an object of sources by argument`);
  const entries = Object.entries(sources as Readonly<Record<string, Source | undefined>>).flatMap(
    ([name, source]) => {
      if (source === undefined) return [];
      checkName(`argument of ${where}`, name);
      return [[name, suggestOf(`${quoted(name)} of ${where}`, source)] as const];
    },
  );
  return new Map(entries);
}

const nothing: Suggest = () => [];
