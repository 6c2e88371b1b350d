/** Codes of {@link ModelError}; stable. */
export type ModelErrorCode =
  | 'MODEL_UNREACHABLE' // The endpoint could not be reached.
  | 'MODEL_TIMEOUT' // No complete response arrived in time.
  | 'MODEL_HTTP_ERROR' // The response has an HTTP status other than 2xx.
  | 'MODEL_INVALID_RESPONSE'; // The response is not a completion, or is too large.

/** A failure of a model's endpoint. Its text is reported in the client's faults and never sent to a server. */
export class ModelError extends Error {
  override readonly name = 'ModelError';
  readonly code: ModelErrorCode;
  /** The HTTP status, if a response was received. */
  readonly status: number | undefined;
  readonly retryable: boolean;
  /** How long the endpoint asks to wait before the next request, in milliseconds (`Retry-After`). */
  readonly retryAfterMs: number | undefined;

  constructor(
    code: ModelErrorCode,
    message: string,
    more: { readonly cause?: unknown; readonly status?: number; readonly retryAfterMs?: number } = {},
  ) {
    super(message, more.cause === undefined ? undefined : { cause: more.cause });
    const { status } = more;
    this.code = code;
    this.status = status;
    this.retryAfterMs = more.retryAfterMs;
    this.retryable =
      code === 'MODEL_HTTP_ERROR'
        ? status === 429 || (status ?? 0) >= 500
        : code !== 'MODEL_INVALID_RESPONSE';
  }
}
