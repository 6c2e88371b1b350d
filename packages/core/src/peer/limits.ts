/** Limits of one connection. Each refusal is a typed, retryable error. */
export interface ConnectionLimits extends CapacityLimits {
  /** Requests of ours in flight. @default 1024 */
  readonly maxCallsInFlight: number;
}

/** How much of a connection may be taken. */
export interface CapacityLimits {
  /** Requests running at a time. @default 256 */
  readonly maxConcurrentRequests: number;
  /** Requests waiting for a place. @default 1024 */
  readonly maxQueuedRequests: number;
  /** Open subscriptions. @default 64 */
  readonly maxSubscriptions: number;
  /** Resources watched, by all subscriptions together, a uri counted once. @default 1024 */
  readonly maxResourceSubscriptions: number;
}

/**
 * Limits of the connections of a server. One that many callers share, such as an HTTP endpoint without sessions, has 32 times
 * the defaults for what it serves, unless told otherwise, and shares them out.
 */
export interface ServerLimits extends Partial<ConnectionLimits> {
  /** What one principal may take of a connection that many share. @default as a connection of its own */
  readonly perPrincipal?: Partial<CapacityLimits>;
  /**
   * What all anonymous callers together may take of it, so that something is left for those with a name. @default half of
   * the defaults of a connection that many share; all of what is told otherwise
   */
  readonly anonymous?: Partial<CapacityLimits>;
}

/** Limits of a connection that many callers share. */
export interface SharedConnectionLimits extends ConnectionLimits {
  readonly perPrincipal: CapacityLimits;
  readonly anonymous: CapacityLimits;
}

/** Present names of limits by former names. */
export const renamedLimits = {
  maxRunning: 'maxConcurrentRequests',
  maxQueued: 'maxQueuedRequests',
  maxListens: 'maxSubscriptions',
  maxWatches: 'maxResourceSubscriptions',
};

/** The limits of a connection to one peer, unless told otherwise. */
export const defaultLimits: ConnectionLimits = {
  maxConcurrentRequests: 256,
  maxQueuedRequests: 1_024,
  maxCallsInFlight: 1_024,
  maxSubscriptions: 64,
  maxResourceSubscriptions: 1_024,
};

/** The limits of a connection to one peer. */
export function limitsOf({ perPrincipal: _each, anonymous: _all, ...given }: ServerLimits): ConnectionLimits {
  return { ...defaultLimits, ...given };
}

/** The limits of a connection that many callers share. */
export function crowdLimitsOf({ perPrincipal, anonymous, ...given }: ServerLimits): SharedConnectionLimits {
  const { maxCallsInFlight: _ours, ...share } = defaultLimits;
  return {
    ...defaultLimits,
    ...times(32),
    ...given,
    perPrincipal: { ...share, ...perPrincipal },
    anonymous: { ...times(16), ...given, ...anonymous },
  };
}

/** What a caller may take of a connection that many share. */
export function shareOf(limits: SharedConnectionLimits, principal: string | undefined): CapacityLimits {
  return principal === undefined ? limits.anonymous : limits.perPrincipal;
}

function times(factor: number): CapacityLimits {
  const { maxConcurrentRequests, maxQueuedRequests, maxSubscriptions, maxResourceSubscriptions } =
    defaultLimits;
  return {
    maxConcurrentRequests: maxConcurrentRequests * factor,
    maxQueuedRequests: maxQueuedRequests * factor,
    maxSubscriptions: maxSubscriptions * factor,
    maxResourceSubscriptions: maxResourceSubscriptions * factor,
  };
}
