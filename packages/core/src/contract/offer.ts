import type { JsonObject } from '@rxmcp/jsonrpc';
import { brandOffer } from '../base/brand.js';
import type { Caller, Context } from './context.js';
import type { Fault } from './faults.js';
import type { LogItem, ProgressItem } from './report-items.js';

/** A parameter that also travels beside the body, where the carrier has a place for it. */
export interface HeaderParam {
  /** What it is called there, in lower case. */
  readonly header: string;
  /** Where its value stands in the parameters of the request. */
  readonly path: readonly string[];
}

/** Anything with a `subscribe` that takes an observer: an Observable of any RxJS version, and of other libraries. */
export interface Subscribable<T> {
  subscribe(observer: { next(value: T): void; error(error: unknown): void; complete(): void }): {
    unsubscribe(): void;
  };
}

/**
 * What a handler may return: a value, a promise, an async iterable, or anything with `subscribe`. The first item that is
 * neither progress nor log is the result; strings and arrays are values.
 */
export type HandlerResult<T> =
  T | PromiseLike<T> | AsyncIterable<T | ProgressItem | LogItem> | Subscribable<T | ProgressItem | LogItem>;

/** Answers one method. */
export interface MethodOffer {
  readonly method: string;
  handle(params: JsonObject, ctx: Context): HandlerResult<JsonObject | PreparedResult>;
  /** Which of its parameters also travel beside the body, where the carrier has a place for them; looked up per request. */
  headerParams?(params: JsonObject): readonly HeaderParam[] | Promise<readonly HeaderParam[]>;
  /**
   * Fails as if what the parameters name was not there, for a caller who may not know of it: what is hidden has to be told as what is
   * absent, whatever else is wrong. @default an error that nothing of that name is there
   */
  notFound?(params: JsonObject, ctx: Context): HandlerResult<JsonObject | PreparedResult>;
}

/** Hears one notification. What it throws, or rejects with, becomes a fault. */
export interface NotificationOffer {
  readonly method: string;
  handle(params: JsonObject, caller: Caller): unknown;
}

/** The lists that announce their changes. */
export type ListName = 'tools' | 'prompts' | 'resources' | 'roots';

/** What an offer gets when it is put to use. */
export interface OfferHost {
  /** Announces that a list changed; many in one tick become one notice. */
  changed(list: ListName): void;
  fault(fault: Fault): void;
}

/** Something one side offers to the other: methods, notifications, capabilities, changing lists. */
export interface OfferDefinition {
  /** Names the offer in errors; two offers of one name in one description are refused. */
  readonly name: string;
  readonly side: 'server' | 'client' | 'both';
  /** What is advertised for it, such as `{ tools: { listChanged: true } }`; cut down to what the transport carries. */
  readonly capabilities: JsonObject;
  readonly methods?: readonly MethodOffer[];
  readonly notifications?: readonly NotificationOffer[];
  /** How a client answers the methods; the client alone reads it. */
  readonly answers?: object;
  /** Called once at first use; the returned function when the last user is gone. May be called again after that. */
  start?(host: OfferHost): (() => void) | undefined;
  /**
   * Follows one resource for one caller: `changed` with its uri (or a sub-resource's) whenever it has a new value.
   * Throws for a uri that cannot be watched. Called once per caller and uri; the returned function ends it.
   */
  watch?(uri: string, caller: Caller, changed: (uri: string) => void): () => void;
  /**
   * Throws what `watch` throws of a uri that is not there, and nothing where it could not know; for a caller who may not know of it.
   * @default RESOURCE_NOT_FOUND
   */
  watchNotFound?(uri: string): void;
}

/** A branded {@link OfferDefinition}. */
export type Offer = Readonly<OfferDefinition>;

/** Makes an offer; what the primitive packages are built with. */
export function defineOffer(parts: OfferDefinition): Offer {
  return brandOffer({ ...parts });
}

/**
 * A result whose text is made once per protocol revision, and where that names its server once per server, and reused until
 * the offer makes a new one.
 */
export class PreparedResult {
  readonly value: JsonObject;
  /** Encoded texts that are the same whoever serves them, by the key an era gives them. */
  readonly texts = new Map<string, string>();

  constructor(value: JsonObject) {
    this.value = value;
  }
}
