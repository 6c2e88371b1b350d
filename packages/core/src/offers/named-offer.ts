import type { JsonObject } from '@rxmcp/jsonrpc';
import { isObject, noMembers } from '../base/checks.js';
import { RxmcpError } from '../base/errors.js';
import { nearestName } from '@rxmcp/transport/internal';
import { quoted } from '../base/message-text.js';
import type { Context } from '../contract/context.js';
import type {
  MergeableOffer,
  MethodOffer,
  HeaderParam,
  Offer,
  OfferHost,
  HandlerResult,
  Subscribable,
} from '../contract/offer.js';
import { defineOffer } from '../contract/offer.js';
import { deferResult } from '../output/map-handler-result.js';
import { forwardingOf } from './forwarded-item.js';
import { listPages } from './list-pages.js';
import { liveSet, type LiveSet } from './live-set.js';

/** An item with a name and a description. */
export interface Named {
  readonly name: string;
  readonly info: object;
}

/** Describes an offer of named items. */
export interface NamedOfferSpec<T extends Named> {
  /** The name of the offer, of its capability and of its list. */
  readonly name: 'tools' | 'prompts';
  /** The kind of one item, for errors. */
  readonly kind: string;
  /** The method that uses an item, such as `tools/call`. */
  readonly method: string;
  readonly source: readonly T[] | Subscribable<readonly T[]>;
  /** Makes the offer of more items, and the options of this one. */
  readonly mergeable?: Omit<MergeableOffer, 'source'>;
  /** Throws a TypeError for an invalid item. */
  check(item: T): void;
  /** Called when a server begins to use the offer. */
  started?(host: OfferHost): void;
  use(item: T, args: JsonObject, ctx: Context): HandlerResult<JsonObject>;
  /** Returns the parameters that are also sent as headers. @default none */
  headerParams?(item: T): readonly HeaderParam[];
  /** The number of entries per page of the list. @default as many as 384 Ki characters hold */
  readonly pageSize?: number | undefined;
  /** Longest time that a list or request waits for the first value of a live source, in milliseconds. @default 5_000 */
  readonly timeoutMs?: number | undefined;
}

/** Creates an offer of items that clients list and use by name. Throws a TypeError for a duplicate name in an array. */
export function namedOffer<T extends Named>(spec: NamedOfferSpec<T>): Offer<never> {
  const { name, source, pageSize, timeoutMs } = spec;
  const keyOf = (item: T): string => {
    if (forwardingOf(item) === undefined) spec.check(item);
    return item.name;
  };
  const set = liveSet({ name, source, keyOf, content: ({ info }) => info, timeoutMs });
  const method = `${name}/list`;
  const entry = ({ info }: T): JsonObject => info as JsonObject;
  return defineOffer({
    name,
    side: 'server',
    ...(spec.mergeable === undefined ? {} : { mergeable: { ...spec.mergeable, source } }),
    capabilities: { [name]: set.live ? { listChanged: true } : {} },
    methods: [
      { method, handle: listPages({ method, member: name, set, keyOf, entry, pageSize }) },
      {
        method: spec.method,
        handle: user(spec, set, (called) => set.get(called)),
        headerParams: headerParamsOf(spec, set),
        notFound: user(spec, set, () => undefined),
      },
    ],
    start(host) {
      spec.started?.(host);
      return set.start(host, name);
    },
  });
}

function user<T extends Named>(
  spec: NamedOfferSpec<T>,
  set: LiveSet<T>,
  find: (name: string) => T | undefined,
): (params: JsonObject, ctx: Context) => HandlerResult<JsonObject> {
  const use = (name: string, args: JsonObject, ctx: Context): HandlerResult<JsonObject> => {
    const found = find(name);
    if (found === undefined) throw unknown(spec.kind, name, set);
    const forwarding = forwardingOf(found);
    return forwarding === undefined ? spec.use(found, args, ctx) : forwarding.handle(args, ctx);
  };
  return (params, ctx) => {
    const { name, arguments: args = noMembers } = params;
    if (typeof name !== 'string')
      throw new RxmcpError('INVALID_PARAMS', `${spec.method}: "name" must be a string`);
    if (!isObject(args))
      throw new RxmcpError('INVALID_PARAMS', `${spec.method}: "arguments" must be an object`);
    const ready = set.ready(() => find(name) !== undefined);
    return ready instanceof Promise ? deferResult(ready, () => use(name, args, ctx)) : use(name, args, ctx);
  };
}

function headerParamsOf<T extends Named>(
  spec: NamedOfferSpec<T>,
  set: LiveSet<T>,
): NonNullable<MethodOffer['headerParams']> {
  const of = (name: unknown): readonly HeaderParam[] => {
    const found = typeof name === 'string' ? set.get(name) : undefined;
    if (found === undefined) return nothing;
    const forwarding = forwardingOf(found);
    return (forwarding === undefined ? spec.headerParams?.(found) : forwarding.headerParams) ?? nothing;
  };
  return ({ name }) => {
    const ready = set.ready();
    return ready instanceof Promise ? ready.then(() => of(name)) : of(name);
  };
}

const nothing: readonly HeaderParam[] = Object.freeze([]);

function unknown<T extends Named>(kind: string, name: string, set: LiveSet<T>): RxmcpError {
  const near = nearestName(
    name,
    (set.current() ?? []).map((item) => item.name),
  );
  const hint = near === undefined ? '' : `, did you mean ${quoted(near)}?`;
  return new RxmcpError('INVALID_PARAMS', `unknown ${kind} ${quoted(name)}${hint}`);
}
