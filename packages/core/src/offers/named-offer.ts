import type { JsonObject } from '@rxmcp/jsonrpc';
import { isObject } from '../base/checks.js';
import { RxmcpError } from '../base/errors.js';
import { nearestName, quoted } from '../base/message-text.js';
import type { Context } from '../contract/context.js';
import type { MethodOffer, HeaderParam, Offer, HandlerResult, Subscribable } from '../contract/offer.js';
import { defineOffer } from '../contract/offer.js';
import { deferResult } from '../output/map-handler-result.js';
import { listPages } from './list-pages.js';
import { liveSet } from './live-set.js';
import type { LiveSet } from './live-set.js';

/** Something that is found by its name and told by its `info`. */
export interface Named {
  readonly name: string;
  readonly info: object;
}

/** What an offer of named things is made of. */
export interface NamedOfferSpec<T extends Named> {
  /** The things, which is the name of the offer, its capability and its list too. */
  readonly name: 'tools' | 'prompts';
  /** One of them, in errors. */
  readonly kind: string;
  /** The method that puts one to use, such as `tools/call`. */
  readonly method: string;
  readonly source: readonly T[] | Subscribable<readonly T[]>;
  /** Throws a TypeError for what is no such thing. */
  check(item: T): void;
  use(item: T, args: JsonObject, ctx: Context): HandlerResult<JsonObject>;
  /** Which parameters of its use also travel beside the body. @default none */
  headerParams?(item: T): readonly HeaderParam[];
  /** Entries per page of the list. @default all in one page */
  readonly pageSize?: number | undefined;
  /** How long a list or request waits for the first value of a live source, in milliseconds. @default 5_000 */
  readonly timeoutMs?: number | undefined;
}

/** Offers things that clients list and put to use by name. Throws a TypeError for a duplicate name in an array. */
export function namedOffer<T extends Named>(spec: NamedOfferSpec<T>): Offer {
  const { name, source, pageSize, timeoutMs } = spec;
  const keyOf = (item: T): string => {
    spec.check(item);
    return item.name;
  };
  const set = liveSet({ name, source, keyOf, content: (items) => items.map(({ info }) => info), timeoutMs });
  const method = `${name}/list`;
  const entry = ({ info }: T): JsonObject => info as JsonObject;
  return defineOffer({
    name,
    side: 'server',
    capabilities: { [name]: set.live ? { listChanged: true } : {} },
    methods: [
      { method, handle: listPages({ method, member: name, set, keyOf, entry, pageSize }) },
      {
        method: spec.method,
        handle: user(spec, set, (called) => set.get(called)),
        headerParams: mirrorer(spec, set),
        notFound: user(spec, set, () => undefined),
      },
    ],
    start: (host) => set.start(host, name),
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
    return spec.use(found, args, ctx);
  };
  return (params, ctx) => {
    const { name, arguments: args = none } = params;
    if (typeof name !== 'string')
      throw new RxmcpError('INVALID_PARAMS', `${spec.method}: "name" must be a string`);
    if (!isObject(args))
      throw new RxmcpError('INVALID_PARAMS', `${spec.method}: "arguments" must be an object`);
    const ready = set.ready();
    return ready instanceof Promise ? deferResult(ready, () => use(name, args, ctx)) : use(name, args, ctx);
  };
}

function mirrorer<T extends Named>(
  spec: NamedOfferSpec<T>,
  set: LiveSet<T>,
): NonNullable<MethodOffer['headerParams']> {
  const of = (name: unknown): readonly HeaderParam[] => {
    const found = typeof name === 'string' ? set.get(name) : undefined;
    return (found === undefined ? undefined : spec.headerParams?.(found)) ?? nothing;
  };
  return ({ name }) => {
    const ready = set.ready();
    return ready instanceof Promise ? ready.then(() => of(name)) : of(name);
  };
}

const none: JsonObject = Object.freeze({});
const nothing: readonly HeaderParam[] = Object.freeze([]);

function unknown<T extends Named>(kind: string, name: string, set: LiveSet<T>): RxmcpError {
  const near = nearestName(
    name,
    (set.current() ?? []).map((item) => item.name),
  );
  const hint = near === undefined ? '' : `, did you mean ${quoted(near)}?`;
  return new RxmcpError('INVALID_PARAMS', `unknown ${kind} ${quoted(name)}${hint}`);
}
