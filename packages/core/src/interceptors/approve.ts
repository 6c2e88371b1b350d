import type { JsonObject } from '@rxmcp/jsonrpc';
import { rejectUnknownOptions } from '@rxmcp/transport/internal';
import { defer, mergeMap, tap, throwError } from 'rxjs';
import { isObject } from '../base/checks.js';
import { RxmcpError } from '../base/errors.js';
import { quoted } from '../base/message-text.js';
import type { Implementation } from '../contract/context.js';
import type { InterceptedRequest, Interceptor } from '../contract/interceptor.js';
import { markSide } from './interceptor-marks.js';
import { ListedTools } from './listed-tools.js';

/** What the user is asked to approve. */
export interface ApprovalRequest {
  /** The JSON-RPC method, such as `tools/call`. */
  readonly method: string;
  /** The name of the tool, or what else the method names; empty if it names nothing. */
  readonly name: string;
  /** The arguments of the call. */
  readonly arguments: JsonObject;
  /**
   * The title and annotations of the tool, as last listed. They are hints of the server; do not trust them. Of a list of
   * more than 16 MiB they are unknown.
   */
  readonly title: string | undefined;
  /** Such as `destructiveHint`. */
  readonly annotations: JsonObject | undefined;
  /** The server, as it describes itself. */
  readonly server: Implementation | undefined;
  /** Aborts when the call is cancelled. */
  readonly signal: AbortSignal;
}

/** Configures {@link approve}. */
export interface ApproveOptions {
  /** Asks the user. Only `true` approves; an error rejects. */
  readonly confirm: (request: ApprovalRequest) => boolean | PromiseLike<boolean>;
  /** The methods that need approval. @default ['tools/call'] */
  readonly methods?: readonly string[];
}

const knownOptions: Record<keyof ApproveOptions, true> = {
  confirm: true,
  methods: true,
};

/**
 * Asks the user before a tool is called. Without approval nothing is sent and the call ends with NOT_APPROVED.
 * Among the `interceptors` of a client it asks once per call and shows the parameters as earlier interceptors
 * changed them; later interceptors can still change them.
 * @see Spec 2026-07-28 server/tools#user-interaction-model
 */
export function approve(options: ApproveOptions): Interceptor {
  rejectUnknownOptions('approve', options, knownOptions, { ask: 'confirm' });
  const { confirm, methods = ['tools/call'] } = options;
  if (typeof confirm !== 'function')
    throw new TypeError('approve needs `confirm`: a function that asks a person');
  const asked = new Set(methods);
  const known = new ListedTools();
  return markSide('client', 'approve', (exchange, next) => {
    if (exchange.method === 'tools/list') {
      return next().pipe(
        tap((event) => {
          if (event.type === 'result') known.learn(exchange, event.result);
        }),
      );
    }
    if (!asked.has(exchange.method)) return next();
    const request = requestOf(exchange, known);
    return defer(async () => answerOf(confirm, request)).pipe(
      mergeMap((answer) => (answer === true ? next() : throwError(() => rejection(request, answer)))),
    );
  });
}

async function answerOf(ask: ApproveOptions['confirm'], request: ApprovalRequest): Promise<unknown> {
  try {
    return await ask(request);
  } catch (error) {
    return { error };
  }
}

function requestOf(exchange: InterceptedRequest, known: ListedTools): ApprovalRequest {
  const { method, params, caller } = exchange;
  const name = [params.name, params.uri].find((one) => typeof one === 'string') as string | undefined;
  const listed = known.calledBy(exchange);
  return {
    method,
    name: name ?? '',
    arguments: isObject(params.arguments) ? params.arguments : {},
    title: listed?.title,
    annotations: listed?.annotations,
    server: caller.info,
    get signal() {
      return exchange.signal;
    },
  };
}

function rejection({ method, name }: ApprovalRequest, answer: unknown): RxmcpError {
  const message = `${quoted(method)} was not approved${name === '' ? '' : `: ${quoted(name)}`}`;
  return new RxmcpError('NOT_APPROVED', message, isObject(answer) ? { cause: answer.error } : {});
}
