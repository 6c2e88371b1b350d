import type { CompleteRequest, CompletionResolver } from '@rxmcp/completion/internal';
import type { Context, Subscribable } from '@rxmcp/core';
import { RpcError } from '@rxmcp/core';
import { getRemoteLink, METHOD_NOT_FOUND } from '@rxmcp/core/internal';
import type { Resource, ResourceInfo, Template, TemplateInfo } from '@rxmcp/resources';
import { resources } from '@rxmcp/resources';
import type { ForwardedTo } from '@rxmcp/resources/internal';
import { forwardedResource, forwardedTemplate } from '@rxmcp/resources/internal';
import type { Observable } from 'rxjs';
import { catchError, combineLatest, concat, finalize, NEVER, of, throwError } from 'rxjs';
import { complete } from './complete.js';
import { tooManyWatches } from './errors.js';
import { forward, whole } from './forward.js';
import type { InnerServer } from './inner-server.js';

/** What the templates of one server that are matched with URIs may cost together, each a fixed amount and its characters. */
const maxMatching = 262_144;
const templateCost = 256;
/** A URI that is watched takes a place for each so many of its characters. */
const watchChars = 1_024;

/** The resources and templates of another server, and the completions of their variables. */
export function resourcesOf(server: InnerServer): {
  readonly source: Subscribable<readonly (Resource | Template)[]>;
  readonly resolve: CompletionResolver;
} {
  const to = forwardedTo(server);
  let current: readonly Template[] | undefined;
  const source = server.items(
    (remote) => {
      const { list$, templates$ } = resources(remote);
      return combineLatest([list$, templates$.pipe(catchError(noTemplates))]);
    },
    ([list, templates]: readonly [readonly ResourceInfo[], readonly TemplateInfo[]]) => {
      let left = maxMatching;
      current = server.offered(templates, 'template').map((info) => {
        left -= templateCost + info.uriTemplate.length;
        return forwardedTemplate(info, to, left >= 0);
      });
      const single = server.offered(list, 'resource').map((info) => forwardedResource(info, to));
      return [...single, ...current];
    },
    [[], []],
  );
  return {
    source,
    resolve: Object.assign(
      (request: CompleteRequest, ctx: Context) => {
        if (request.kind !== 'template') return undefined;
        if (current?.some(({ info }) => info.uriTemplate === request.of) !== true) return undefined;
        return complete(server, ctx, { type: 'ref/resource', uri: request.of }, request);
      },
      {
        ready: (request: CompleteRequest) =>
          request.kind === 'template' ? server.listed(source, current !== undefined) : undefined,
      },
    ),
  };
}

function forwardedTo(server: InnerServer): ForwardedTo {
  return {
    get server() {
      return server.name;
    },
    read: (uri, ctx) =>
      forward(server, ctx, (remote, options) =>
        getRemoteLink(remote).events({
          method: 'resources/read',
          params: { uri },
          capability: 'resources',
          decode: whole,
          options,
        }),
      ),
    changes: (uri, { principal = '' }) => {
      // They are one subscription at the server, whose size counts as well.
      const places = Math.ceil(uri.length / watchChars);
      if (!server.watches.tryAdd(principal, places)) throw tooManyWatches(server.name);
      return server
        .follow((link) => {
          if (!link.has('resources', 'subscribe')) return NEVER;
          // Emits after each change, and when the subscription is open: the resource may have changed until then.
          return link.live(`gateway ${uri}`, [{ uri }], () => of(undefined));
        })
        .pipe(finalize(() => server.watches.remove(principal, places)));
    },
  };
}

// Some servers with resources have no templates, and not the method either.
function noTemplates(error: unknown): Observable<readonly TemplateInfo[]> {
  const isUnknown = RpcError.is(error) && error.code === METHOD_NOT_FOUND;
  return isUnknown ? concat(of([]), NEVER) : throwError(() => error);
}
