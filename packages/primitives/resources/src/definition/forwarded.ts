import type { Caller, Context, HandlerResult, JsonObject, Subscribable } from '@rxmcp/core';
import { type Origin, libraryCopy, markForwarded } from '@rxmcp/core/internal';
import { type Readable, type Resource, resourceParts } from './resource.js';
import { type Template, type TemplateParts, templatePartsKey } from './template.js';
import type { ResourceInfo, TemplateInfo } from './types.js';
import { matcher } from '../uri/match.js';
import { parseTemplate } from '../uri/parse.js';
import { type Shape, shapeOf } from '../uri/shape.js';

/** The server that has the resources. */
export interface ForwardedTo extends Origin {
  /** Passes a read on and returns its whole result. */
  read(uri: string, ctx: Context): HandlerResult<JsonObject>;
  /** Emits whenever the resource may have changed. May throw to reject the caller. */
  changes(uri: string, caller: Caller): Subscribable<unknown>;
}

/** Makes a resource that another server offers. Its entry is listed as it is, and its reads are passed on. */
export function forwardedResource(info: ResourceInfo, to: ForwardedTo): Resource {
  const readable = readableAt(info.uri, to);
  return markForwarded({ info, [resourceParts]: { copy: libraryCopy, readable } }, to);
}

/**
 * Makes a template that another server offers. One that cannot be matched without doubt, or must not be, is listed only. The other
 * server checks the values of the variables.
 */
export function forwardedTemplate(info: TemplateInfo, to: ForwardedTo, isMatched = true): Template {
  const shape = isMatched ? matchableShape(info.uriTemplate) : undefined;
  const matches = shape === undefined ? () => undefined : matcher(shape);
  const parts: TemplateParts = {
    copy: libraryCopy,
    listed: [],
    shape: shape ?? unmatched,
    find: (uri) => (matches(uri) === undefined ? undefined : readableAt(uri, to)),
    narrow: () => undefined,
  };
  return markForwarded({ info, [templatePartsKey]: parts }, to);
}

function readableAt(uri: string, to: ForwardedTo): Readable {
  return {
    uri,
    mimeType: undefined,
    source: { kind: 'forwarded', by: to, read: (ctx) => to.read(uri, ctx) },
    shared: false,
    readTimeoutMs: Infinity,
    changes: (caller) => to.changes(uri, caller),
  };
}

const unmatched: Shape = { literals: [''], groups: [], pairs: undefined, fragment: undefined };

function matchableShape(text: string): Shape | undefined {
  try {
    return shapeOf(text, parseTemplate(text));
  } catch {
    return undefined;
  }
}
