/** Limits of one connection. Each refusal is a typed, retryable error. */
export interface Limits extends Share {
  /** Requests of ours in flight. @default 1024 */
  readonly maxCallsInFlight: number;
}

/** How much of a connection may be taken. */
export interface Share {
  /** Requests running at a time. @default 256 */
  readonly maxRunning: number;
  /** Requests waiting for a place. @default 1024 */
  readonly maxQueued: number;
  /** Open subscriptions. @default 64 */
  readonly maxListens: number;
  /** Resources watched, by all subscriptions together, a uri counted once. @default 1024 */
  readonly maxWatches: number;
}

/**
 * Limits of the connections of a server. One that many callers share, such as an HTTP endpoint without sessions, has 32 times
 * the defaults for what it serves, unless told otherwise, and shares them out.
 */
export interface ServerLimits extends Partial<Limits> {
  /** What one principal may take of a connection that many share. @default as a connection of its own */
  readonly perPrincipal?: Partial<Share>;
  /**
   * What all anonymous callers together may take of it, so that something is left for those with a name. @default half of
   * the defaults of a connection that many share; all of what is told otherwise
   */
  readonly anonymous?: Partial<Share>;
}

/** Limits of a connection that many callers share. */
export interface CrowdLimits extends Limits {
  readonly perPrincipal: Share;
  readonly anonymous: Share;
}

/** The limits of a connection to one peer, unless told otherwise. */
export const defaultLimits: Limits = {
  maxRunning: 256,
  maxQueued: 1_024,
  maxCallsInFlight: 1_024,
  maxListens: 64,
  maxWatches: 1_024,
};

/** The limits of a connection to one peer. */
export function limitsOf({ perPrincipal: _each, anonymous: _all, ...given }: ServerLimits): Limits {
  return { ...defaultLimits, ...given };
}

/** The limits of a connection that many callers share. */
export function crowdLimitsOf({ perPrincipal, anonymous, ...given }: ServerLimits): CrowdLimits {
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
export function shareOf(limits: CrowdLimits, principal: string | undefined): Share {
  return principal === undefined ? limits.anonymous : limits.perPrincipal;
}

function times(factor: number): Share {
  const { maxRunning, maxQueued, maxListens, maxWatches } = defaultLimits;
  return {
    maxRunning: maxRunning * factor,
    maxQueued: maxQueued * factor,
    maxListens: maxListens * factor,
    maxWatches: maxWatches * factor,
  };
}
