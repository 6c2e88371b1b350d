/** What went wrong: a step of signing in, or of using what it gave. */
export type AuthErrorCode =
  | 'ACCESS_DENIED'
  | 'CLIENT_UNKNOWN'
  | 'DISCOVERY_FAILED'
  | 'INSECURE_URL'
  | 'INSUFFICIENT_SCOPE'
  | 'ISSUER_MISMATCH'
  | 'PROOF_REJECTED'
  | 'REDIRECT_FAILED'
  | 'REGISTRATION_FAILED'
  | 'RESOURCE_MISMATCH'
  | 'STORE_FAILED'
  | 'TOKEN_FAILED'
  | 'TOKEN_REJECTED';

/** What an {@link AuthError} may have in addition. */
interface AuthErrorOptions extends ErrorOptions {
  readonly rejected?: boolean;
  readonly retryAfterMs?: number | undefined;
}

/** Signing in failed, or the server rejects what it gave. Its text holds no secret. */
export class AuthError extends Error {
  override readonly name = 'AuthError';
  /** Whether the same may succeed later. Otherwise signing in again needs a change first, such as that of an option. */
  readonly retryable: boolean;
  /** The request that needed it has not run. */
  readonly outcome = 'not-sent';

  /** Whether the authorization server rejected the request, rather than failing to answer. */
  readonly isRejected: boolean;

  /** When the authorization server accepts the next request, in milliseconds from the error on; absent where it does not say so. */
  readonly retryAfterMs?: number;

  constructor(
    readonly code: AuthErrorCode,
    message: string,
    { rejected = false, retryAfterMs, ...options }: AuthErrorOptions = {},
  ) {
    super(message, options);
    this.isRejected = rejected;
    this.retryable = retryAfterMs !== undefined;
    if (retryAfterMs !== undefined) this.retryAfterMs = retryAfterMs;
  }

  /** Returns whether an error is one of these, also of another copy of this package. */
  static is(error: unknown, code?: AuthErrorCode): error is AuthError {
    const { name, code: own } = Object(error) as { name?: unknown; code?: unknown };
    return name === 'AuthError' && (code === undefined || own === code);
  }

  /** Returns the error of this class that caused another, such as the `UNAUTHORIZED` of a transport. */
  static causeOf(error: unknown): AuthError | undefined {
    for (let at = error, depth = 0; at instanceof Error && depth < 8; at = at.cause, depth += 1)
      if (AuthError.is(at)) return at;
    return undefined;
  }
}

/** Quotes a text of another party for a message: short, and without what a terminal would act on, or what cannot be seen. */
export function quote(text: unknown): string {
  return JSON.stringify(
    // One that is nested deep has no text.
    (text instanceof Object ? 'an object' : String(text)).slice(0, 200).replace(/[\p{C}\p{Z}\p{DI}]/gu, ' '),
  );
}

/** Returns the error of a sign-in; others come of the store, or of an option. */
export function asAuthError(origin: string, cause: unknown): AuthError {
  if (AuthError.is(cause)) return cause;
  const message = `signing in to ${origin} failed in the store, or in an option: see the cause`;
  return new AuthError('STORE_FAILED', message, { cause });
}
