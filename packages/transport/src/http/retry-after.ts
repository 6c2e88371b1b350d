const longestWaitMs = 3_600_000;

/** Reads the value of a `Retry-After` header, in milliseconds from now, one hour at most. RFC 9110 section 10.2.3. */
export function retryAfter(value: string | null): number | undefined {
  if (value === null) return undefined;
  const ms = /^\d+$/.test(value) ? Number(value) * 1_000 : Date.parse(value) - Date.now();
  return Number.isNaN(ms) ? undefined : Math.min(Math.max(ms, 0), longestWaitMs);
}
