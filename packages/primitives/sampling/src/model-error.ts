/**
 * Why a model could not complete:
 * `MODEL_UNREACHABLE` no connection; `MODEL_TIMEOUT` no whole answer in time; `MODEL_HTTP_ERROR` an HTTP status other than
 * 2xx; `MODEL_INVALID_RESPONSE` an answer that is no completion.
 */
export type ModelErrorCode =
  'MODEL_UNREACHABLE' | 'MODEL_TIMEOUT' | 'MODEL_HTTP_ERROR' | 'MODEL_INVALID_RESPONSE';

/** A failure of a model's endpoint; a server never sees its text, the client's faults do. */
export class ModelError extends Error {
  override readonly name = 'ModelError';
  readonly code: ModelErrorCode;
  /** The HTTP status, where there was one. */
  readonly status: number | undefined;
  readonly retryable: boolean;

  constructor(
    code: ModelErrorCode,
    message: string,
    more: { readonly cause?: unknown; readonly status?: number } = {},
  ) {
    super(message, more.cause === undefined ? undefined : { cause: more.cause });
    const { status } = more;
    this.code = code;
    this.status = status;
    this.retryable =
      code === 'MODEL_HTTP_ERROR'
        ? status === 429 || (status ?? 0) >= 500
        : code !== 'MODEL_INVALID_RESPONSE';
  }
}
