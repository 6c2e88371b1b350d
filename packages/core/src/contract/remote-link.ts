import type { JsonObject } from '@rxmcp/jsonrpc';
import type { Observable } from 'rxjs';
import { checkCopy, libraryCopy } from '../base/brand.js';
import type { LibraryCopy } from '../base/brand.js';
import type { Fault } from './faults.js';
import type { LogLevel } from './report-items.js';
import type { ListName, HeaderParam } from './offer.js';
import type { Call, CallWithEvents, CallOptions, LogRecord, Remote } from './remote.js';

/** Describes one call of a primitive. */
export interface CallSpec<T> {
  readonly method: string;
  readonly params?: JsonObject;
  /**
   * The server capability that the call needs, such as `tools`. Without it the call fails with
   * CAPABILITY_NOT_SUPPORTED.
   */
  readonly capability?: string;
  /** Converts the checked result to the value that the caller receives. Throws INVALID_RESULT. */
  readonly decode: (result: JsonObject) => T;
  readonly options?: CallOptions | undefined;
  /** Returns the parameters that are also sent as headers. Called for each request. */
  readonly headerParams?: (() => readonly HeaderParam[] | undefined) | undefined;
}

/** What can change: a list or a resource. */
export type Topic = { readonly list: Exclude<ListName, 'roots'> } | { readonly uri: string };

/** What primitive packages use of a remote. {@link getRemoteLink} returns it. */
export interface RemoteLink {
  /** Whether the server declared a capability, for example `has('resources', 'subscribe')`. */
  has(capability: string, flag?: string): boolean;
  /** Whether parameters of tools can be sent as headers: both the transport and the revision must support it. */
  readonly sendsHeaderParams: boolean;
  /** Reports something that went wrong and ended nothing. */
  fault(fault: Fault): void;
  /** Makes a call and emits its result. @stream call */
  call<T>(spec: CallSpec<T>): Call<T>;
  /** Makes a call and emits its progress, logs and result. @stream call */
  events<T>(spec: CallSpec<T>): CallWithEvents<T>;
  /** Reads all pages of a list. Emits an empty list if the server did not declare the capability. @stream call */
  pages<T>(spec: PagesSpec<T>): Call<readonly T[]>;
  /**
   * Keeps a value current: reads at once, and again when one of the topics changes. All subscribers of one key
   * share one subscription and one read. @stream state
   */
  live<T>(key: string, topics: readonly Topic[], read: () => Observable<T>): Observable<T>;
  /**
   * Charges for what is kept under a name of what the server sent, in bytes, instead of what was kept before, until the end of the
   * remote or of the live value of that name. Returns false, and changes nothing, where the memory does not suffice.
   */
  hold(name: string, bytes: number): boolean;
  /** Emits the log records of all calls. @stream event */
  readonly records$: Observable<LogRecord>;
  /** Asks for logs of at least this level from now on, in the way of the revision. @stream call */
  setLogLevel(level: LogLevel): Call<void>;
}

/** Describes how to read all pages of a list. */
export interface PagesSpec<T> {
  readonly method: string;
  /** The member of a page that holds the entries, such as `tools`. */
  readonly member: string;
  readonly capability: string;
  /** Checks one entry. Returning `undefined` drops the entry and reports a fault. */
  readonly decode: (entry: unknown) => T | undefined;
  /** Converts the whole list before it is emitted. @default the list as it is */
  readonly finish?: (entries: readonly T[]) => readonly T[];
  readonly options?: CallOptions | undefined;
}

const linkKey = Symbol.for('rxmcp.link');

/** Returns the internals of a remote, for packages that build on core. Throws a TypeError for anything else. */
export function getRemoteLink(remote: Remote): RemoteLink {
  const key = remote as unknown as Record<symbol, { copy: LibraryCopy; inner: RemoteLink } | undefined>;
  const found = key[linkKey];
  if (found === undefined) {
    throw new TypeError('expected a Remote: pass what client.connect(transport) resolved to');
  }
  checkCopy('this remote', found.copy);
  return found.inner;
}

/** Attaches the internals to a remote. */
export function setRemoteLink(remote: Remote, inner: RemoteLink): void {
  Object.defineProperty(remote, linkKey, { value: { copy: libraryCopy, inner } });
}

/** Returns a function of a remote that builds its value once per remote and caches it. */
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

/** Returns the key of a topic. */
export function keyOf(topic: Topic): string {
  return 'uri' in topic ? `uri ${topic.uri}` : `list ${topic.list}`;
}
