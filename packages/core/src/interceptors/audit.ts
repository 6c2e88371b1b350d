import type { JsonObject } from '@rxmcp/jsonrpc';
import { rejectUnknownOptions, omitUndefined } from '@rxmcp/transport/internal';
import { TransportError } from '@rxmcp/transport';
import { finalize, tap } from 'rxjs';
import { isThenable } from '../base/checks.js';
import { now } from '../base/clock.js';
import { RxmcpError, RpcError } from '../base/errors.js';
import { quoted } from '../base/message-text.js';
import type { InterceptedRequest, Interceptor } from '../contract/interceptor.js';

/** Describes one request after its end. */
export interface AuditRecord {
  /** `server` for a request that was served, `client` for a call that was made. */
  readonly side: 'server' | 'client';
  /** The JSON-RPC method. */
  readonly method: string;
  /** The tool, prompt or URI that the request names; at most 1,024 characters. */
  readonly target?: string;
  /** The authenticated caller. */
  readonly principal?: string;
  /** The protocol revision of the request. */
  readonly version: string;
  /** When the request began, in milliseconds since 1970. */
  readonly startedAt: number;
  /** The time from the request to its end, in milliseconds. */
  readonly durationMs: number;
  /**
   * `failed` is an error or a tool result with `isError`. `input-required` means that the client must answer an ask
   * first and then repeats the request.
   */
  readonly status: 'ok' | 'failed' | 'cancelled' | 'input-required';
  /** The code of the error. */
  readonly code?: string | number;
  /** The size of the parameters as JSON, in bytes. */
  readonly requestBytes: number;
  /** The size of the result as JSON, in bytes; 0 without a result. */
  readonly resultBytes: number;
  /** The parameters, if `includeParams` is set. */
  readonly params?: JsonObject;
}

/** Configures {@link audit}. */
export interface AuditOptions {
  /** Receives each record. An error that it throws, or rejects with, becomes a fault. The request does not wait for it. */
  readonly record: (record: AuditRecord) => void | PromiseLike<void>;
  /** Whether records contain the parameters, including arguments. @default false */
  readonly includeParams?: boolean;
}

const knownOptions: Record<keyof AuditOptions, true> = {
  record: true,
  includeParams: true,
};

const maxTarget = 1_024;

/**
 * Records each request after its end: caller, method, target, status, duration and sizes. Parameters are recorded only
 * with `includeParams`. A record that cannot be stored becomes the fault AUDIT_FAILED.
 */
export function audit(options: AuditOptions): Interceptor {
  rejectUnknownOptions('audit', options, knownOptions, { params: 'includeParams' });
  const { record, includeParams: withParams = false } = options;
  return (exchange, next) => {
    const startedAt = Date.now();
    const from = now();
    const { side, method, version, params } = exchange;
    const { principal } = exchange.caller;
    const target = targetOf(params);
    let end: Pick<AuditRecord, 'status' | 'code'> | undefined;
    let resultBytes = 0;
    const write = (): void => {
      const status = end ?? { status: exchange.inputRequired ? 'input-required' : 'cancelled' };
      const failed = (cause: unknown): void =>
        exchange.fault({ code: 'AUDIT_FAILED', message: `recording ${quoted(method)} failed`, cause });
      try {
        const taken = record({
          side,
          method,
          ...omitUndefined({ target, principal }),
          version,
          startedAt,
          durationMs: now() - from,
          ...status,
          requestBytes: bytesOf(params),
          resultBytes,
          ...(withParams ? { params } : {}),
        });
        if (isThenable(taken)) taken.then(undefined, failed);
      } catch (cause) {
        failed(cause);
      }
    };
    return next().pipe(
      tap({
        next(event) {
          if (event.type !== 'result') return;
          end = { status: event.result.isError === true ? 'failed' : 'ok' };
          resultBytes = bytesOf(event.result);
        },
        error(error: unknown) {
          const code = codeOf(error);
          end = { status: 'failed', ...(code === undefined ? {} : { code }) };
        },
      }),
      finalize(write),
    );
  };
}

function targetOf({ name, uri, ref }: InterceptedRequest['params']): string | undefined {
  if (typeof name === 'string') return cut(name);
  if (typeof uri === 'string') return cut(uri);
  return typeof ref === 'object' && ref !== null ? targetOf(ref as JsonObject) : undefined;
}

// A name may have any length, and records are stored.
function cut(target: string): string {
  return target.length > maxTarget ? `${target.slice(0, maxTarget)}…` : target;
}

function codeOf(error: unknown): string | number | undefined {
  return RpcError.is(error) || RxmcpError.is(error) || TransportError.is(error) ? error.code : undefined;
}

const encoder = new TextEncoder();

function bytesOf(value: unknown): number {
  try {
    return encoder.encode(JSON.stringify(value)).length;
  } catch {
    // A result that is not JSON is rejected when it is sent.
    return 0;
  }
}
