import type { JsonObject } from '@rxmcp/jsonrpc';
import { isObject } from '../base/checks.js';
import type { Context } from '../contract/context.js';
import type { HandlerResult, HeaderParam } from '../contract/offer.js';

/** Where an item comes from that another server offers. */
export interface Origin {
  /** The other server, as faults name it. */
  readonly server: string;
}

/** How the requests of a tool or prompt of another server are passed on. The other server checks arguments and results. */
export interface Forwarding extends Origin {
  handle(args: JsonObject, ctx: Context): HandlerResult<JsonObject>;
  /** The arguments that are also sent as headers. */
  readonly headerParams?: readonly HeaderParam[];
}

const forwarding = Symbol('rxmcp.forwarding');

/** Marks an item as one that another server offers. */
export function markForwarded<T extends object>(item: T, origin: Origin): T {
  return Object.freeze(Object.defineProperty(item, forwarding, { value: origin }));
}

/** Returns where an item comes from that another server offers, and undefined for any other item. */
export function originOf(item: unknown): Origin | undefined {
  return isObject(item) ? ((item as Record<symbol, unknown>)[forwarding] as Origin | undefined) : undefined;
}

/** Returns how the requests of a tool or prompt are passed on, and undefined for one with a handler. */
export function forwardingOf(item: object): Forwarding | undefined {
  return originOf(item) as Forwarding | undefined;
}

const partial = new WeakSet<object>();

/** Marks a list in which items of another server are still missing, or one that is made of such a list. */
export function markPartial<T extends readonly unknown[]>(
  list: T,
  ...madeOf: readonly (readonly unknown[])[]
): T {
  if (madeOf.length === 0 || madeOf.some(isPartial)) partial.add(list);
  return list;
}

/** Whether items of another server are still missing in a list. */
export function isPartial(list: readonly unknown[]): boolean {
  return partial.has(list);
}
