import type { JsonObject } from '@rxmcp/jsonrpc';
import type { Observable } from 'rxjs';
import { libraryVersion, versionMismatch } from '../base/brand.js';
import type { Fault } from './faults.js';
import type { LogLevel } from './report-items.js';
import type { ListName, HeaderParam } from './offer.js';
import type { CallEvent, CallOptions, LogRecord, Remote } from './remote.js';

/** What one call of a primitive needs. */
export interface CallSpec<T> {
  readonly method: string;
  readonly params?: JsonObject;
  /** The server capability without which the call ends in CAPABILITY_NOT_SUPPORTED, such as `tools`. */
  readonly capability?: string;
  /** Turns the checked result object into what the caller gets; throws RxmcpError INVALID_RESULT. */
  readonly decode: (result: JsonObject) => T;
  readonly options?: CallOptions | undefined;
  /** Which of its parameters also travel beside the body; asked anew for each request. */
  readonly headerParams?: (() => readonly HeaderParam[] | undefined) | undefined;
}

/** What changes: a list, or one resource. */
export type Topic = { readonly list: Exclude<ListName, 'roots'> } | { readonly uri: string };

/** What the primitive packages see of a remote; reach it with `link(remote)`. */
export interface RemoteLink {
  /** True when the server declared this, such as `has('resources', 'subscribe')`. */
  has(capability: string, flag?: string): boolean;
  /** True where servers may have parameters of tools travel beside the body: the carrier has a place and the revision a word. */
  readonly sendsHeaderParams: boolean;
  /** Tells something that went wrong and ended nothing. */
  fault(fault: Fault): void;
  /** One call, one result. @stream call */
  call<T>(spec: CallSpec<T>): Observable<T>;
  /** One call with its progress and logs. @stream call */
  events<T>(spec: CallSpec<T>): Observable<CallEvent<T>>;
  /** Walks all pages of a list. Without the capability it emits an empty list. @stream call */
  pages<T>(spec: PagesSpec<T>): Observable<readonly T[]>;
  /**
   * A value kept current: reads at first and again whenever one of the topics changes. One feed and one reading for all
   * subscribers of one key. @stream state
   */
  live<T>(key: string, topics: readonly Topic[], read: () => Observable<T>): Observable<T>;
  /** Log records, from whatever call. @stream event */
  readonly records$: Observable<LogRecord>;
  /** Asks for logs of at least this level from now on, in the way of the revision. @stream call */
  setLogLevel(level: LogLevel): Observable<void>;
}

/** What a walk over pages needs. */
export interface PagesSpec<T> {
  readonly method: string;
  /** The member that holds the entries, such as `tools`. */
  readonly member: string;
  readonly capability: string;
  /** Checks one entry; `undefined` drops it, and a fault says so. */
  readonly decode: (entry: unknown) => T | undefined;
  readonly options?: CallOptions | undefined;
}

const linkKey = Symbol.for('rxmcp.link');

/** The inner face of a remote, for packages that build on the core. */
export function getRemoteLink(remote: Remote): RemoteLink {
  const key = remote as unknown as Record<symbol, { version: string; inner: RemoteLink } | undefined>;
  const found = key[linkKey];
  if (found === undefined) {
    throw new TypeError('expected a Remote: pass what client.connect(transport) resolved to');
  }
  if (found.version !== libraryVersion) throw versionMismatch('this remote', found.version);
  return found.inner;
}

/** Gives a remote its inner face. */
export function setRemoteLink(remote: Remote, inner: RemoteLink): void {
  Object.defineProperty(remote, linkKey, { value: { version: libraryVersion, inner } });
}

/** Makes a function of a remote that builds once per remote and then remembers. */
export function perRemote<T>(build: (inner: RemoteLink, remote: Remote) => T): (remote: Remote) => T {
  const built = new WeakMap<Remote, T>();
  return (remote) => {
    let use = built.get(remote);
    if (use === undefined) {
      use = build(getRemoteLink(remote), remote);
      built.set(remote, use);
    }
    return use;
  };
}

/** What a topic is found by. */
export function keyOf(topic: Topic): string {
  return 'uri' in topic ? `uri ${topic.uri}` : `list ${topic.list}`;
}
