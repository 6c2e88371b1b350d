/** System calls and error codes of Node that come before anything was sent. */
const connecting: ReadonlySet<string> = new Set(['connect', 'getaddrinfo']);
const unsent =
  /^(ECONNREFUSED|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH|ENETDOWN|EADDRNOTAVAIL|UND_ERR_CONNECT_TIMEOUT|CERT_.*|ERR_TLS_.*|ERR_SSL_.*|DEPTH_ZERO_SELF_SIGNED_CERT|SELF_SIGNED_CERT_IN_CHAIN|UNABLE_TO_.*)$/;
const deepest = 5;

/** Why a request failed that `fetch` rejected. Browsers do not say, so that there everything may have been sent. */
export function networkCause(error: unknown): {
  /** The code of the system, such as `ECONNREFUSED`. */
  readonly code: string | undefined;
  readonly isUnsent: boolean;
} {
  const known = causes(error);
  return {
    code: known.map(({ code }) => code).find((code) => typeof code === 'string'),
    isUnsent: known.some(({ code, syscall }) => unsent.test(String(code)) || connecting.has(String(syscall))),
  };
}

interface Coded {
  readonly code?: unknown;
  readonly syscall?: unknown;
}

function causes(error: unknown): Coded[] {
  const found: Coded[] = [];
  let at = error;
  while (typeof at === 'object' && at !== null && found.length < deepest) {
    found.push(at as Coded);
    at = (at as { cause?: unknown }).cause;
  }
  return found;
}
