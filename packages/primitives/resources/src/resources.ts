import type { CallOptions, JsonObject, Remote, ResourceContents } from '@rxmcp/core';
import { RxmcpError } from '@rxmcp/core';
import type { Topic } from '@rxmcp/core/internal';
import { perRemote, droppedMemberReporter, failedCall } from '@rxmcp/core/internal';
import type { Observable } from 'rxjs';
import type { ResourceInfo, TemplateInfo } from './types.js';
import { contentsFrom, resourceInfoOf, templateInfoOf } from './types.js';
import { sentUri } from './uri/uri.js';

/** The value of a resource, kept current. */
export interface WatchedResource extends Observable<readonly ResourceContents[]> {
  /** False where the server does not tell of changes of single resources: then it is read anew when the list changes. */
  readonly isLive: boolean;
}

/** The resources of a remote. */
export interface Resources {
  /**
   * Reads a resource: one entry of contents, or several of which each has a uri of its own. Errors with RpcError (see
   * {@link isResourceNotFound}), CAPABILITY_NOT_SUPPORTED, INVALID_RESULT, TIMEOUT; INVALID_PARAMS for what is no uri. @stream call
   */
  read(uri: string, options?: CallOptions): Observable<readonly ResourceContents[]>;
  /** The same whenever it changes: one subscription at the server for all subscribers here. @stream state */
  watch(uri: string): WatchedResource;
  /** All resources, whatever the number of pages; none where the server has no such capability. @stream call */
  list(options?: CallOptions): Observable<readonly ResourceInfo[]>;
  /** The resources as they are now; emits once and stays where the server does not announce changes. @stream state */
  readonly list$: Observable<readonly ResourceInfo[]>;
  /** All templates. @stream call */
  templates(options?: CallOptions): Observable<readonly TemplateInfo[]>;
  /** The templates as they are now. @stream state */
  readonly templates$: Observable<readonly TemplateInfo[]>;
}

/** The resources of a remote; made once per remote (spec 2026-07-28 server/resources). */
export const resources: (remote: Remote) => Resources = perRemote((inner): Resources => {
  const capability = 'resources';
  const lists: readonly Topic[] = inner.has(capability, 'listChanged') ? [{ list: 'resources' }] : [];
  const pagesOf = <T>(
    method: string,
    member: string,
    infoOf: (entry: unknown, reporter: ReturnType<typeof droppedMemberReporter>) => T | undefined,
    options: CallOptions | undefined,
  ): Observable<readonly T[]> => {
    const reporter = droppedMemberReporter(inner, method);
    return inner.pages({ method, member, capability, decode: (entry) => infoOf(entry, reporter), options });
  };
  const list = (options?: CallOptions): Observable<readonly ResourceInfo[]> =>
    pagesOf('resources/list', 'resources', resourceInfoOf, options);
  const templates = (options?: CallOptions): Observable<readonly TemplateInfo[]> =>
    pagesOf('resources/templates/list', 'resourceTemplates', templateInfoOf, options);
  const read = (uri: string, options?: CallOptions): Observable<readonly ResourceContents[]> => {
    const sent = uriOf('resources/read', uri);
    if (typeof sent !== 'string') return failedCall(sent);
    const method = 'resources/read';
    const decode = (result: JsonObject): readonly ResourceContents[] =>
      contentsFrom(sent, result, droppedMemberReporter(inner, method));
    return inner.call({ method, params: { uri: sent }, capability, decode, options });
  };
  return {
    read,
    watch: (uri) => {
      const sent = uriOf('watch', uri);
      if (typeof sent !== 'string') return Object.assign(failedCall(sent), { isLive: false });
      const live = inner.has(capability, 'subscribe');
      const topics = live ? [{ uri: sent }] : lists;
      const contents = inner.live(`resource ${sent}`, topics, () => read(sent));
      return Object.assign(contents, { isLive: live });
    },
    list,
    list$: inner.live('resources', lists, list),
    templates,
    templates$: inner.live('templates', lists, templates),
  };
});

function uriOf(what: string, uri: unknown): string | RxmcpError {
  if (typeof uri !== 'string') return new RxmcpError('INVALID_PARAMS', `${what}: the uri must be a string`);
  try {
    return sentUri(uri);
  } catch (cause) {
    return new RxmcpError('INVALID_PARAMS', `${what}: ${(cause as Error).message}`, { cause });
  }
}
