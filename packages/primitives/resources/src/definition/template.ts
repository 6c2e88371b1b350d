import type { Caller, Context, HandlerResult, Subscribable } from '@rxmcp/core';
import { libraryCopy, readInternals, quoted, assertSize, rejectUnknownOptions } from '@rxmcp/core/internal';
import type { LibraryCopy } from '@rxmcp/core/internal';
import type { ResourceValue } from './contents.js';
import type { ResourceMetadata, ReadOptions } from './resource-metadata.js';
import { alikeMetadata, entryOf, readTimeoutOf } from './resource-metadata.js';
import { type Resource, type Readable, nameOf, resourceOf, sharedOptionNames } from './resource.js';
import type { TemplateInfo } from './types.js';
import { parseTemplate } from '../uri/parse.js';
import { type Shape, shapeOf } from '../uri/shape.js';
import { uriTemplate } from '../uri/uri-template.js';
import type { UriTemplate, UriTemplateOptions, TemplateVariables } from '../uri/uri-template.js';
import { normalUri } from '../uri/uri.js';

/** A resource of a template that has its own list entry. */
export interface ListedResource extends ResourceMetadata {
  readonly uri: string;
  /** In bytes, before any base64. */
  readonly size?: number;
}

/** Options of {@link template}. */
export interface TemplateOptions<T extends string> extends ResourceMetadata, ReadOptions, UriTemplateOptions {
  /** Resources of this template that are also in the list of resources. @default none */
  readonly list?: readonly ListedResource[];
  /** Returns a stream of which any emission means that the value changed. With it, `read` is not run to follow changes. */
  readonly changes?: (vars: TemplateVariables<T>, caller: Caller) => Subscribable<unknown>;
}

const knownOptions: Record<keyof TemplateOptions<string>, true> = {
  ...sharedOptionNames,
  dangerouslyAllow: true,
  list: true,
  changes: true,
};

/** A template of resources; made by {@link template}, served by {@link offerResources}. */
export interface Template {
  /** Its entry in the list. */
  readonly info: TemplateInfo;
  readonly [templatePartsKey]: TemplateParts;
}

/** A template whose text is known, and with it the names of its variables. */
export interface TypedTemplate<T extends string> extends Template {
  /** Returns the URI for these variables, as `expand` of {@link uriTemplate} does. */
  expand(vars: TemplateVariables<T>): string;
}

/** The internal parts of a template. */
export interface TemplateParts {
  readonly copy: LibraryCopy;
  readonly listed: readonly Resource[];
  readonly shape: Shape;
  /** Returns the resource of a normalized URI, if it matches. Throws INVALID_PARAMS for a value that leads out of its folder. */
  find(uri: string): Readable | undefined;
  /** The variable that would match the URI if it took many segments instead of one; otherwise undefined. */
  narrow(uri: string): string | undefined;
}

/**
 * Makes a template of resources. The function gets the decoded variables
 * and returns what {@link resource} takes. `null` means that the resource does not exist, as RESOURCE_NOT_FOUND does.
 * @throws TypeError for an invalid or ambiguous template, and for a listed resource that does not match it
 * @see Spec 2026-07-28 server/resources#resource-templates
 */
export function template<const T extends string>(
  text: T,
  options: TemplateOptions<T>,
  read: (vars: TemplateVariables<T>, ctx: Context) => HandlerResult<ResourceValue | null>,
): TypedTemplate<T> {
  if (typeof read !== 'function')
    throw new TypeError(`template "${text}" needs a function: template('${text}', { name }, (vars) => ...)`);
  rejectUnknownOptions(`template ${quoted(text)}`, options, knownOptions, alikeMetadata);
  const { changes, mimeType, list = [] } = options;
  const uris = uriTemplate(text, options);
  if (uris.variables.length === 0)
    throw new TypeError(`uri template ${quoted(text)} has no variable: use resource()`);
  if (!Array.isArray(list))
    throw new TypeError(
      `template ${quoted(text)}: "list" must be an array. For a list that changes, offer a stream: offerResources(resources$)`,
    );
  const info = { uriTemplate: text, ...entryOf('template', text, options, text) };
  const readTimeoutMs = readTimeoutOf(text, options);
  const find = (uri: string, type = mimeType): Readable | undefined => {
    const vars = uris.match(uri);
    if (vars === undefined) return undefined;
    return {
      uri,
      mimeType: type,
      source: { kind: 'made', by: read, make: (ctx) => read(vars, ctx) },
      shared: options.shared === true,
      readTimeoutMs,
      changes: changes === undefined ? undefined : (caller) => changes(vars, caller),
    };
  };
  const listed = list.map((entry) => {
    const uri = normalUri(entry.uri);
    const found = find(uri, entry.mimeType ?? mimeType);
    if (found === undefined)
      throw new TypeError(`resource ${quoted(uri)} does not match template ${quoted(text)}`);
    const { size } = entry;
    assertSize(`resource ${quoted(uri)}`, size);
    const details = mimeType === undefined ? entry : { mimeType, ...entry };
    return resourceOf(
      { uri, ...entryOf('resource', uri, details, nameOf(uri)), ...(size === undefined ? {} : { size }) },
      found,
    );
  });
  return Object.freeze({
    expand: uris.expand,
    info: Object.freeze(info),
    [templatePartsKey]: {
      copy: libraryCopy,
      listed,
      shape: shapeOf(text, parseTemplate(text)),
      find,
      narrow: narrowed(text),
    },
  });
}

/** Returns the internal parts of a template, or undefined for anything else. */
export function templateParts(value: unknown): TemplateParts | undefined {
  return readInternals<TemplateParts>(templatePartsKey, value);
}

function narrowed(text: string): TemplateParts['narrow'] {
  let known: readonly Wider[] | undefined;
  // Made at the first URI that does not match, which most templates never get.
  return (uri) => (known ??= widerOnes(text)).find(({ takes }) => takes(uri))?.name;
}

interface Wider {
  readonly name: string;
  takes(uri: string): boolean;
}

/** The template with one variable for many segments in place of one. */
function widerOnes(text: string): readonly Wider[] {
  return [...text.matchAll(/\{(\w+(?:\.\w+)*)\}/g)].flatMap(({ 0: found, 1: name = '', index }) => {
    try {
      const changed: string = `${text.slice(0, index)}{+${name}}${text.slice(index + found.length)}`;
      const { match } = uriTemplate(changed);
      return [{ name, takes: (uri: string) => fits(match, uri) }];
    } catch {
      // There is another one already that takes slashes.
      return [];
    }
  });
}

function fits(match: UriTemplate['match'], uri: string): boolean {
  try {
    return match(uri) !== undefined;
  } catch {
    return false;
  }
}

/** The key of the internal parts of a template. */
export const templatePartsKey = Symbol.for('rxmcp.template');
