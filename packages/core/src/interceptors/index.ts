export { approve } from './approve.js';
export type { ApprovalRequest, ApproveOptions } from './approve.js';
export { audit } from './audit.js';
export type { AuditOptions, AuditRecord } from './audit.js';
export { authorize } from './authorize/authorize.js';
export type { AuthorizeOptions } from './authorize/authorize.js';
export type { ItemKind } from './authorize/requested-item.js';
export { cache } from './cache/cache.js';
export type { CacheOptions } from './cache/cache.js';
export { concurrency } from './concurrency.js';
export type { ConcurrencyOptions } from './concurrency.js';
export type {
  ResponseEvent,
  InterceptedRequest,
  Interceptor,
  NextFunction,
} from '../contract/interceptor.js';
export { paramsBytes } from './limit-key.js';
export type { LimitKey, RequestWeight } from './limit-key.js';
export { rateLimit } from './rate-limit.js';
export type { RateLimitOptions } from './rate-limit.js';
export { redact } from './redact.js';
export type { RedactOptions } from './redact.js';
export { retry } from './retry/retry.js';
export type { RetryOptions } from './retry/retry.js';
export { INSUFFICIENT_SCOPE } from '../base/error-marks.js';
export { timeout, DEADLINE_EXCEEDED } from './timeout.js';
export type { TimeoutOptions } from './timeout.js';
export { readTraceContext } from '../base/request-meta.js';
export type { TraceContext } from '../base/request-meta.js';
export { trace } from './trace.js';
export type { TraceOptions } from './trace.js';
export { withMeta } from '../base/request-meta.js';
export { runInContext } from './trace.js';
export type { ContextStorage } from './trace.js';
