import type { Call, CallOptions, JsonObject, Remote, ResourceContents } from '@rxmcp/core';
import { RxmcpError } from '@rxmcp/core';
import type { Topic } from '@rxmcp/core/internal';
import {
  droppedMemberReporter,
  estimateBytes,
  failedCall,
  memoryOf,
  noMemory,
  perRemote,
} from '@rxmcp/core/internal';
import { type Observable, tap } from 'rxjs';
import type { ResourceInfo, TemplateInfo } from '../definition/types.js';
import { contentsFrom, resourceInfoOf, templateInfoOf } from '../definition/types.js';
import type { TypedTemplate } from '../definition/template.js';
import type { TemplateVariables } from '../uri/uri-template.js';
import { sentUri } from '../uri/uri.js';

/** The current contents of a resource. */
export interface WatchedResource extends Observable<readonly ResourceContents[]> {
  /** False if the server does not announce changes of single resources; it is then read again when the list changes. */
  readonly isLive: boolean;
}

/** The resources of a remote. */
export interface Resources {
  /**
   * Reads a resource: one entry of contents, or several with a URI each. Errors with RpcError (see
   * {@link isResourceNotFound}), CAPABILITY_NOT_SUPPORTED, INVALID_RESULT, TIMEOUT, and INVALID_PARAMS for an invalid URI. @stream call
   */
  read(uri: string, options?: CallOptions): Call<readonly ResourceContents[]>;
  /** Reads the resource that a template, which both sides share, has for these variables. @stream call */
  read<T extends string>(
    template: TypedTemplate<T>,
    vars: TemplateVariables<T>,
    options?: CallOptions,
  ): Call<readonly ResourceContents[]>;
  /** Reads a resource now and after each change, with one subscription at the server for all subscribers. @stream state */
  watch(uri: string): WatchedResource;
  /** Lists all resources, on all pages; an empty list if the server has no resources capability. @stream call */
  list(options?: CallOptions): Call<readonly ResourceInfo[]>;
  /** The current list of resources; without change notifications of the server it emits once and stays open. @stream state */
  readonly list$: Observable<readonly ResourceInfo[]>;
  /** Lists all templates, on all pages. @stream call */
  templates(options?: CallOptions): Call<readonly TemplateInfo[]>;
  /** The current list of templates. @stream state */
  readonly templates$: Observable<readonly TemplateInfo[]>;
}

/**
 * Returns the resources of a remote; made once per remote.
 * @see Spec 2026-07-28 server/resources
 */
export const resources: (remote: Remote) => Resources = perRemote((inner): Resources => {
  const capability = 'resources';
  const lists: readonly Topic[] = inner.has(capability, 'listChanged') ? [{ list: 'resources' }] : [];
  const pagesOf = <T>(
    method: string,
    member: string,
    infoOf: (entry: unknown, reporter: ReturnType<typeof droppedMemberReporter>) => T | undefined,
    options: CallOptions | undefined,
  ): Call<readonly T[]> => {
    const reporter = droppedMemberReporter(inner, method);
    return inner.pages({ method, member, capability, decode: (entry) => infoOf(entry, reporter), options });
  };
  const list = (options?: CallOptions): Call<readonly ResourceInfo[]> =>
    pagesOf('resources/list', 'resources', resourceInfoOf, options);
  const templates = (options?: CallOptions): Call<readonly TemplateInfo[]> =>
    pagesOf('resources/templates/list', 'resourceTemplates', templateInfoOf, options);
  const read = (uri: string, options?: CallOptions): Call<readonly ResourceContents[]> => {
    const sent = uriOf('resources/read', uri);
    if (typeof sent !== 'string') return failedCall(sent);
    const method = 'resources/read';
    const decode = (result: JsonObject): readonly ResourceContents[] =>
      contentsFrom(sent, result, droppedMemberReporter(inner, method));
    return inner.call({ method, params: { uri: sent }, capability, decode, options });
  };
  const readTemplate = (
    template: TypedTemplate<string>,
    vars: TemplateVariables<string>,
    options?: CallOptions,
  ): Call<readonly ResourceContents[]> => {
    if ('uri' in template)
      return failedCall(new TypeError(`resources/read: pass the URI, as in read('${String(template.uri)}')`));
    try {
      return read(template.expand(vars), options);
    } catch (error) {
      return failedCall(error);
    }
  };
  return {
    read: (target: string | TypedTemplate<string>, given?: object, options?: CallOptions) =>
      typeof target === 'object'
        ? readTemplate(target, given as TemplateVariables<string>, options)
        : read(target, given),
    watch: (uri) => {
      const sent = uriOf('watch', uri);
      if (typeof sent !== 'string') return Object.assign(failedCall(sent), { isLive: false });
      const live = inner.has(capability, 'subscribe');
      const topics = live ? [{ uri: sent }] : lists;
      const key = `resource ${sent}`;
      const charge = (value: readonly ResourceContents[]): void => {
        if (!inner.hold(key, memoryOf(estimateBytes(value, Infinity)))) throw noMemory('resources/read');
      };
      const contents = inner.live(key, topics, () => read(sent).pipe(tap(charge)));
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
