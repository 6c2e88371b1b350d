import type { JsonObject } from '@rxmcp/jsonrpc';
import { brandOffer } from '../base/brand.js';
import type { Caller, Context } from './context.js';
import type { Fault } from './faults.js';
import type { LogItem, ProgressItem } from './report-items.js';

/** A parameter that is also sent as a header, if the transport carries headers. */
export interface HeaderParam {
  /** The name of the header, in lower case. */
  readonly header: string;
  /** The path of the value in the parameters of the request. */
  readonly path: readonly string[];
}

/** Any object with a `subscribe` method that takes an observer: an Observable of any RxJS version or of another library. */
export interface Subscribable<T> {
  subscribe(observer: { next(value: T): void; error(error: unknown): void; complete(): void }): {
    unsubscribe(): void;
  };
}

/**
 * What a handler may return: a value, a promise, an async iterable, or an object with `subscribe`. The first item
 * that is neither progress nor a log record is the result. Strings and arrays are values.
 */
export type HandlerResult<T> =
  T | PromiseLike<T> | AsyncIterable<T | ProgressItem | LogItem> | Subscribable<T | ProgressItem | LogItem>;

/** Handles one method. */
export interface MethodOffer {
  readonly method: string;
  handle(params: JsonObject, ctx: Context): HandlerResult<JsonObject | PreparedResult>;
  /** Returns the parameters that are also sent as headers, if the transport carries headers. Called per request. */
  headerParams?(params: JsonObject): readonly HeaderParam[] | Promise<readonly HeaderParam[]>;
  /**
   * Fails as if the item that the parameters name did not exist. A server calls it for a caller who must not see
   * the item: hidden and missing items must cause the same error. @default an error that says that there is no item
   * of that name
   */
  notFound?(params: JsonObject, ctx: Context): HandlerResult<JsonObject | PreparedResult>;
}

/** Handles one notification. An error that it throws, or rejects with, becomes a fault. */
export interface NotificationOffer {
  readonly method: string;
  handle(params: JsonObject, caller: Caller): unknown;
}

/** The lists that announce their changes. */
export type ListName = 'tools' | 'prompts' | 'resources' | 'roots';

/** What a server or client provides to an offer that it uses. */
export interface OfferHost {
  /** Announces that a list changed. Many calls in one tick cause one notification. */
  changed(list: ListName): void;
  fault(fault: Fault): void;
}

/** What an offer is made of: enough to make one of two. */
export interface MergeableOffer {
  /** The items, or a source that emits all of them each time. */
  readonly source: readonly unknown[] | Subscribable<readonly unknown[]>;
  /** An option that both offers have must have the same value. */
  readonly options: Readonly<Record<string, unknown>>;
  make(source: MergeableOffer['source'], options: MergeableOffer['options']): Offer;
}

/** Something that one side offers to the other: methods, notifications, capabilities, changing lists. */
export interface OfferDefinition {
  /** Names the offer in errors. A server or client rejects two offers with the same name. */
  readonly name: string;
  readonly side: 'server' | 'client' | 'both';
  /**
   * The capabilities to declare, such as `{ tools: { listChanged: true } }`. Reduced to those that the transport
   * supports.
   */
  readonly capabilities: JsonObject;
  readonly methods?: readonly MethodOffer[];
  readonly notifications?: readonly NotificationOffer[];
  /** How the offer is merged with another of the same name. @default two offers of one name are rejected */
  readonly mergeable?: MergeableOffer;
  /** How a client handles the methods of this offer. Servers ignore it. */
  readonly answers?: object;
  /**
   * Called at first use. The returned function is called when the offer is no longer used; `start` may be called again
   * after that.
   */
  start?(host: OfferHost): (() => void) | undefined;
  /**
   * Watches one resource for one caller. Calls `changed` with its URI, or that of a sub-resource, for each new
   * value. Throws for a URI that cannot be watched. Called once per caller and URI; the returned function ends it.
   * `hold` charges the caller for what the watch keeps now, in bytes, instead of what it kept before. It returns false,
   * and keeps the charge, where that is too much.
   */
  watch?(
    uri: string,
    caller: Caller,
    changed: (uri: string) => void,
    hold: (bytes: number) => boolean,
  ): () => void;
  /**
   * Throws what `watch` throws for a URI that does not exist, and nothing if `watch` could not know. For a caller
   * who must not see the resource. @default RESOURCE_NOT_FOUND
   */
  watchNotFound?(uri: string): void;
}

/** The key of what an offer or a server provides, for types only: there is no value. */
export declare const provides: unique symbol;

/**
 * What a server or client provides; made by functions such as `offerTools`. `Item` is the type of the tools, prompts or
 * resources, which clients written in TypeScript can use.
 */
export interface Offer<Item = unknown> extends Readonly<OfferDefinition> {
  readonly [provides]?: Item;
}

/** The items of offers, for clients in TypeScript; unknown if no offer has typed ones. */
export type OfferedItem<O> = [TypedItem<O>] extends [never] ? unknown : TypedItem<O>;

type TypedItem<O> = O extends Offer<infer Item> ? (unknown extends Item ? never : Item) : never;

/** Creates an offer. The primitive packages use it. */
export function defineOffer<Item>(parts: OfferDefinition): Offer<Item> {
  return brandOffer({ ...parts });
}

/**
 * A result whose text is encoded once per protocol revision, or once per server if the text names the server. The
 * text is reused until the offer creates a new result.
 */
export class PreparedResult {
  readonly value: JsonObject;
  /** Texts that are the same for all servers, by the key that an era gives them. */
  readonly texts = new Map<string, string>();
  /** Its length as JSON, an estimate, once it is known. */
  chars?: number;

  constructor(value: JsonObject) {
    this.value = value;
  }
}
