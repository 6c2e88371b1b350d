import { type JsonObject, type Subscribable, RxmcpError } from '@rxmcp/core';
import { type LiveSet, checkUriLength, liveSet, markPartial, originOf, quoted } from '@rxmcp/core/internal';
import { resourceNotFound } from './read.js';
import { type Resource, type Readable, readableOf, isSubscribable } from '../definition/resource.js';
import { type Template, type TemplateParts, templateParts } from '../definition/template.js';
import { normalUri } from '../uri/uri.js';

/**
 * How many characters of URIs are compared with the templates of one other server in a lookup: one of normal length with all of them, the
 * longest with the first 64. Another server chooses its templates so that each is compared to the end.
 */
const maxComparedChars = 524_288;

/** What a server can offer: single resources and templates. */
export type ResourceDefinition = Resource | Template;

/** All offered resources, for lists and lookups. */
export interface Catalog {
  readonly all: LiveSet<ResourceDefinition>;
  readonly resources: LiveSet<Resource>;
  readonly templates: LiveSet<Template>;
  /** Finds the resource of a URI. Throws INVALID_PARAMS for an invalid URI, RESOURCE_NOT_FOUND for an unknown one. */
  find(uri: string): Readable;
  /** Throws as `find` does for a URI that no resource has and no template matches. */
  templated(uri: string): void;
  /** Throws INVALID_PARAMS for an invalid URI. */
  check(uri: string): void;
}

/**
 * Makes the catalog; `emitted` is called after each value of a live source. Throws a TypeError for a duplicate URI or
 * template.
 */
export function catalogOf(
  source: readonly ResourceDefinition[] | Subscribable<readonly ResourceDefinition[]>,
  timeoutMs: number | undefined,
  emitted: () => void,
): Catalog {
  const all = liveSet<ResourceDefinition>({
    name: 'resources',
    source: isSubscribable(source) ? unfolded(source, emitted) : unfold(source),
    keyOf,
    content: ({ info }) => info,
    timeoutMs,
  });
  const templates = part(all, isTemplate);
  let sortedFrom: readonly Template[] | undefined;
  let sorted: readonly Template[] = [];
  const templated = (uri: string, normal: string): Readable => {
    const now = templates.current() ?? [];
    if (sortedFrom !== now) [sortedFrom, sorted] = [now, byPrecedence(now)];
    const found = fromTemplates(comparable(sorted, normal), normal);
    if (found === undefined) throw resourceNotFound(uri, narrow(comparable(sorted, normal), normal));
    return found;
  };
  return {
    all,
    templates,
    resources: part(all, (item): item is Resource => !isTemplate(item)),
    check: (uri) => void requested(uri),
    find: (uri) => {
      checkUriLength(quoted(uri), uri);
      const exact = readableOf(all.get(uri));
      if (exact !== undefined) return exact;
      const normal = requested(uri);
      return readableOf(all.get(normal)) ?? templated(uri, normal);
    },
    templated(uri) {
      checkUriLength(quoted(uri), uri);
      templated(uri, requested(uri));
    },
  };
}

/** Whether a lookup ends in another way than with RESOURCE_NOT_FOUND. */
export function isDecided(find: () => unknown): boolean {
  try {
    find();
    return true;
  } catch (error) {
    return !RxmcpError.is(error, 'RESOURCE_NOT_FOUND');
  }
}

/** The key of an item: its URI, or the text of a template. Throws a TypeError for anything else. */
export function keyOf(item: ResourceDefinition): string {
  if (readableOf(item) !== undefined) return (item as Resource).info.uri;
  if (templateParts(item) !== undefined) return (item as Template).info.uriTemplate;
  throw new TypeError('an entry of the resources is invalid: use resource() or template()');
}

/** The list entry of an item. */
export function entryOf({ info }: ResourceDefinition): JsonObject {
  return info;
}

function isTemplate(item: ResourceDefinition): item is Template {
  return templateParts(item) !== undefined;
}

/**
 * Templates in the order in which they are tried: the one with more literal characters first. Of two with equally many, one whose
 * variables stay within a segment comes before one that takes slashes; otherwise the order of the offer stays.
 */
function byPrecedence(templates: readonly Template[]): readonly Template[] {
  const keyed = templates.map((template) => {
    const { literals, groups } = (templateParts(template) as TemplateParts).shape;
    return { template, length: literals.join('').length, many: Number(groups.some(({ many }) => many)) };
  });
  return keyed.sort((a, b) => b.length - a.length || a.many - b.many).map(({ template }) => template);
}

function requested(uri: string): string {
  try {
    return normalUri(uri);
  } catch (cause) {
    throw new RxmcpError('INVALID_PARAMS', (cause as Error).message, { cause });
  }
}

/** The templates that a URI is compared with: those that begin as it does, and of another server only as many as {@link maxComparedChars} allows. */
function* comparable(templates: readonly Template[], uri: string): Iterable<Template> {
  const left = new Map<string, number>();
  for (const template of templates) {
    const [head = ''] = (templateParts(template) as TemplateParts).shape.literals;
    if (!uri.startsWith(head)) continue;
    const server = originOf(template)?.server;
    if (server !== undefined) {
      const rest = (left.get(server) ?? maxComparedChars) - uri.length;
      left.set(server, rest);
      if (rest < 0) continue;
    }
    yield template;
  }
}

/** Returns the resource of the first template that matches the URI. The error of a template is thrown only if no other one matches. */
function fromTemplates(templates: Iterable<Template>, uri: string): Readable | undefined {
  let rejection: unknown;
  for (const template of templates) {
    try {
      const found = (templateParts(template) as TemplateParts).find(uri);
      if (found !== undefined) return found;
    } catch (error) {
      rejection ??= error;
    }
  }
  if (rejection !== undefined) throw rejection;
  return undefined;
}

/** The first variable that a URI would match if the variable took slashes. */
function narrow(templates: Iterable<Template>, uri: string): string | undefined {
  for (const template of templates) {
    const name = (templateParts(template) as TemplateParts).narrow(uri);
    if (name !== undefined) return name;
  }
  return undefined;
}

/** Adds the listed resources of each template after it. The catalog rejects a value that is not an array. */
function unfold(items: readonly ResourceDefinition[]): readonly ResourceDefinition[] {
  if (!Array.isArray(items)) return items;
  const all: ResourceDefinition[] = [];
  for (const item of items) {
    all.push(item);
    for (const listed of templateParts(item)?.listed ?? []) all.push(listed);
  }
  return markPartial(all, items);
}

function unfolded(
  source: Subscribable<readonly ResourceDefinition[]>,
  emitted: () => void,
): Subscribable<readonly ResourceDefinition[]> {
  return {
    subscribe: (to) =>
      source.subscribe({
        next(items) {
          to.next(unfold(items));
          emitted();
        },
        error: (error) => to.error(error),
        complete: () => to.complete(),
      }),
  };
}

/** The items of one kind. */
function part<T extends ResourceDefinition>(
  all: LiveSet<ResourceDefinition>,
  is: (item: ResourceDefinition) => item is T,
): LiveSet<T> {
  const known = new WeakMap<readonly ResourceDefinition[], readonly T[]>();
  const only = (from: readonly ResourceDefinition[]): readonly T[] => {
    const items = known.get(from) ?? from.filter(is);
    known.set(from, items);
    return items;
  };
  return {
    live: all.live,
    current: () => {
      const now = all.current();
      return now === undefined ? undefined : only(now);
    },
    ready: () => {
      const now = all.ready();
      return now instanceof Promise ? now.then(only) : only(now);
    },
    get: (key) => {
      const item = all.get(key);
      return item !== undefined && is(item) ? item : undefined;
    },
    start: (host, list) => all.start(host, list),
  };
}
