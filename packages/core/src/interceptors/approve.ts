import type { JsonObject } from '@rxmcp/jsonrpc';
import { rejectRenamedOptions } from '@rxmcp/transport/internal';
import { defer, mergeMap, tap, throwError } from 'rxjs';
import { isObject } from '../base/checks.js';
import { RxmcpError } from '../base/errors.js';
import { quoted } from '../base/message-text.js';
import type { Implementation } from '../contract/context.js';
import type { InterceptedRequest, Interceptor } from '../contract/interceptor.js';
import { markSide } from './interceptor-marks.js';

/** What a person is asked to agree to. */
export interface ApprovalRequest {
  readonly method: string;
  /** The tool, or what else the method names; empty where it names nothing. */
  readonly name: string;
  /** What it would be called with. */
  readonly arguments: JsonObject;
  /** Its title and annotations as they were last listed, if they were. They are hints, and the server's own word. */
  readonly title: string | undefined;
  readonly annotations: JsonObject | undefined;
  /** The server as it calls itself. */
  readonly server: Implementation | undefined;
  /** Aborts when the call is taken back, so that nobody has to answer any more. */
  readonly signal: AbortSignal;
}

/** Options of {@link approve}. */
export interface ApproveOptions {
  /** Asks a person; nothing but `true` is a yes, and what it throws is a no. */
  readonly confirm: (request: ApprovalRequest) => boolean | PromiseLike<boolean>;
  /** For which methods. @default tools/call alone */
  readonly methods?: readonly string[];
}

/**
 * Asks a person before a tool is called. Without a yes nothing is sent, and the call ends with NOT_APPROVED. Among `interceptors` of
 * a client it asks once per call, with what those before it made of the parameters; those after it can still change them.
 * Spec 2026-07-28 server/tools#user-interaction-model.
 */
export function approve(options: ApproveOptions): Interceptor {
  rejectRenamedOptions('approve', options, { ask: 'confirm' });
  const { confirm, methods = ['tools/call'] } = options;
  if (typeof confirm !== 'function')
    throw new TypeError('approve needs `confirm`: a function that asks a person');
  const asked = new Set(methods);
  const known = new Listed();
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
      mergeMap((answer) => (answer === true ? next() : throwError(() => refused(request, answer)))),
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

function requestOf(exchange: InterceptedRequest, known: Listed): ApprovalRequest {
  const { method, params, caller } = exchange;
  const name = [params.name, params.uri].find((one) => typeof one === 'string') as string | undefined;
  const listed = method === 'tools/call' && name !== undefined ? known.get(exchange, name) : undefined;
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

function refused({ method, name }: ApprovalRequest, answer: unknown): RxmcpError {
  const message = `${quoted(method)} was not approved${name === '' ? '' : `: ${quoted(name)}`}`;
  return new RxmcpError('NOT_APPROVED', message, isObject(answer) ? { cause: answer.error } : {});
}

type Entry = Pick<ApprovalRequest, 'title' | 'annotations'>;

/** What the lists that pass by say of tools, for each server. */
class Listed {
  private readonly servers = new WeakMap<object, Map<string, Entry>>();

  get({ owner }: InterceptedRequest, name: string): Entry | undefined {
    return this.servers.get(owner)?.get(name);
  }

  learn({ owner, params }: InterceptedRequest, { tools }: JsonObject): void {
    if (!Array.isArray(tools)) return;
    let entries = this.servers.get(owner);
    if (entries === undefined) this.servers.set(owner, (entries = new Map()));
    // The first page begins the list anew.
    if (params.cursor === undefined) entries.clear();
    for (const tool of tools as unknown[]) {
      if (!isObject(tool) || typeof tool.name !== 'string') continue;
      const { title, annotations } = tool;
      entries.set(tool.name, {
        title: typeof title === 'string' ? title : undefined,
        annotations: isObject(annotations) ? annotations : undefined,
      });
    }
  }
}
