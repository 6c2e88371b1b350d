import type { ReceiveInfo } from '@rxmcp/transport';
import { holderName } from '@rxmcp/transport/internal';

/**
 * Limits of one connection in both directions: {@link IncomingRequestLimits} for what it serves, and `maxCallsInFlight` for
 * what it sends. Beyond a limit a request fails with a retryable error: -31001 from a server, TOO_MANY_CALLS on a
 * client.
 */
export interface ConnectionLimits extends IncomingRequestLimits {
  /** Outgoing requests in flight. @default 1024 */
  readonly maxCallsInFlight: number;
}

/** Limits of the incoming requests of one connection, or of one caller on a connection that many callers share. */
export interface IncomingRequestLimits {
  /** Requests running at a time. @default 256 */
  readonly maxConcurrentRequests: number;
  /** Requests waiting to run. @default 1024 */
  readonly maxQueuedRequests: number;
  /** Open subscriptions. @default 64 */
  readonly maxSubscriptions: number;
  /** Resources watched by all subscriptions together; each URI counts once. @default 1024 */
  readonly maxResourceSubscriptions: number;
}

/**
 * Limits of a server's connections. A connection that many callers share, such as an HTTP endpoint without
 * sessions, has by default 32 times these limits for incoming requests.
 */
export interface ServerLimits extends Partial<ConnectionLimits> {
  /**
   * What one principal, or one address of anonymous callers, may use of a shared connection. Where the address is
   * unknown, `allAnonymous` limits alone apply.
   * @default the limits of a connection of its own
   */
  readonly perCaller?: Partial<IncomingRequestLimits>;
  /**
   * What all anonymous callers together may use of a shared connection, so that authenticated callers always have a
   * share. @default half of the default limits of a shared connection, or all of a limit that is configured
   */
  readonly allAnonymous?: Partial<IncomingRequestLimits>;
}

/** Limits of a connection that many callers share. */
export interface SharedConnectionLimits extends ConnectionLimits {
  readonly perCaller: IncomingRequestLimits;
  readonly allAnonymous: IncomingRequestLimits;
}

/** The default limits of a connection to one peer. */
export const defaultLimits: ConnectionLimits = {
  maxConcurrentRequests: 256,
  maxQueuedRequests: 1_024,
  maxCallsInFlight: 1_024,
  maxSubscriptions: 64,
  maxResourceSubscriptions: 1_024,
};

/** Returns the limits of a connection to one peer. */
export function limitsOf({ perCaller: _each, allAnonymous: _all, ...given }: ServerLimits): ConnectionLimits {
  return { ...defaultLimits, ...given };
}

/** Returns the limits of a connection that many callers share. */
export function sharedLimitsOf({ perCaller, allAnonymous, ...given }: ServerLimits): SharedConnectionLimits {
  const { maxCallsInFlight: _ours, ...share } = defaultLimits;
  return {
    ...defaultLimits,
    ...times(32),
    ...given,
    perCaller: { ...share, ...perCaller },
    allAnonymous: { ...times(16), ...given, ...allAnonymous },
  };
}

/** A request, as far as it says who calls. */
export interface CallerRequest {
  readonly receiveInfo: ReceiveInfo | undefined;
  readonly caller: { readonly principal?: string | undefined };
}

/** The name of anonymous callers whose address is unknown: they cannot be distinguished. */
const unknownAddress = holderName(undefined);

/** Returns the name of the caller of a request, which has one share: its principal, or the address of an anonymous one. */
export function callerName({ receiveInfo, caller }: CallerRequest): string {
  return receiveInfo?.holder ?? holderName(caller.principal);
}

/**
 * Returns what a caller may use of a shared connection, by its name and principal. All anonymous callers together, and those
 * whose address is unknown, may use `allAnonymous`.
 */
export function limitsOfCaller(
  { perCaller, allAnonymous }: SharedConnectionLimits,
  name: string,
  principal: string | undefined,
): IncomingRequestLimits {
  return principal === undefined && name === unknownAddress ? allAnonymous : perCaller;
}

function times(factor: number): IncomingRequestLimits {
  const { maxConcurrentRequests, maxQueuedRequests, maxSubscriptions, maxResourceSubscriptions } =
    defaultLimits;
  return {
    maxConcurrentRequests: maxConcurrentRequests * factor,
    maxQueuedRequests: maxQueuedRequests * factor,
    maxSubscriptions: maxSubscriptions * factor,
    maxResourceSubscriptions: maxResourceSubscriptions * factor,
  };
}
