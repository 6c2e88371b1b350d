import { type RequestId, type JsonRpcMessage } from '@rxmcp/jsonrpc';
import { META_KEYS, targetName, decodeHeaderValue } from '@rxmcp/jsonrpc/internal';
import type { SendOptions, Lane, MessageHeaders } from '../contract.js';
import type { Traits } from '../traits.js';
import type { SdkSendOptions } from './sdk-transport.js';

/** A request of ours whose lane is open. */
interface Asked {
  /** Told when the lane ends without an answer. */
  readonly ended: (() => void) | undefined;
}

/**
 * Finds the lanes of messages where every request has one of its own: the guides' interface knows ids only. On a shared
 * pipe there is nothing to find.
 */
export class RequestLanes {
  private readonly perRequest: boolean;
  /** Something travels beside requests, where this side makes them. */
  private readonly mirrors: boolean;
  private readonly asked = new Map<Lane, Asked>();
  private readonly served = new Map<RequestId, Lane>();
  private opening: RequestId | undefined;

  constructor(
    { lanes, carriesHeaders }: Pick<Traits, 'lanes' | 'carriesHeaders'>,
    private readonly dialled: boolean,
  ) {
    this.perRequest = lanes === 'per-request';
    this.mirrors = carriesHeaders && dialled;
  }

  /** What goes out beside a message. */
  sendOptions(
    message: JsonRpcMessage,
    options: SdkSendOptions | undefined,
    version: string | undefined,
  ): SendOptions {
    const lane = this.perRequest ? this.laneFor(message, options) : undefined;
    const signal = options?.requestSignal;
    const mirror = this.mirrors ? messageHeaders(message, options?.headers) : undefined;
    // What a message says of itself counts: the probe of an SDK goes out before any revision is agreed on.
    const spoken = mirror?.version ?? version;
    const opens = this.ends(message);
    return {
      ...(lane === undefined ? {} : { lane }),
      ...(spoken === undefined ? {} : { version: spoken }),
      ...(mirror === undefined ? {} : { headers: mirror }),
      ...(signal === undefined ? {} : { signal }),
      ...(opens ? { completesHandshake: opens } : {}),
    };
  }

  /** Takes note of where a message came from. */
  messageReceived(message: unknown, lane: Lane | undefined): void {
    const { id, method } = message as { id?: RequestId; method?: unknown };
    if (method === 'initialize') this.opening = id;
    if (lane === undefined || id === undefined) return;
    if (method === undefined) this.asked.delete(lane);
    else this.served.set(id, lane);
  }

  /** A lane ended. True where it held a request of ours without an answer, and nobody was told. */
  laneClosed(lane: Lane): boolean {
    for (const [id, served] of this.served) if (served === lane) this.served.delete(id);
    const call = this.asked.get(lane);
    this.asked.delete(lane);
    call?.ended?.();
    return call !== undefined && call.ended === undefined;
  }

  /** Whether a message is the last one of an opening. */
  private ends(message: JsonRpcMessage): boolean {
    if (this.dialled) return 'method' in message && message.method === 'notifications/initialized';
    const opens = this.opening !== undefined && answeredBy(message) === this.opening;
    if (opens) this.opening = undefined;
    return opens && 'result' in message;
  }

  private laneFor(message: JsonRpcMessage, options: SdkSendOptions | undefined): Lane | undefined {
    const answered = answeredBy(message);
    if (answered !== undefined) {
      const lane = this.served.get(answered);
      this.served.delete(answered);
      return lane;
    }
    const related = options?.relatedRequestId;
    const lane = related === undefined ? undefined : this.served.get(related);
    if (lane !== undefined || !this.dialled || !('id' in message)) return lane;
    const own = {};
    this.asked.set(own, { ended: options?.onRequestStreamEnd });
    return own;
  }
}

function answeredBy(message: JsonRpcMessage): RequestId | undefined {
  return 'method' in message ? undefined : (message.id ?? undefined);
}

const parameter = 'mcp-param-';

/**
 * What travels beside a request of the modern era, read off its body as the transports of the SDKs do it; undefined for
 * anything else. `headers` are those that an SDK gives along for single parameters. MCP 2026-07-28, basic, transports,
 * streamable HTTP, request metadata.
 */
function messageHeaders(
  message: JsonRpcMessage,
  headers: Readonly<Record<string, string>> = {},
): MessageHeaders | undefined {
  if (!('method' in message) || !('id' in message)) return undefined;
  const { method, params } = message;
  const version = (params?._meta as Record<string, unknown> | undefined)?.[META_KEYS.protocolVersion];
  if (typeof version !== 'string') return undefined;
  const mirror: Record<string, string> = { version, method };
  const name = targetName(method, params);
  if (name !== undefined) mirror.name = name;
  for (const [header, value] of Object.entries(headers)) {
    const key = header.toLowerCase();
    // Our transports wrap for themselves what their place cannot hold.
    if (key.startsWith(parameter)) {
      mirror[`param.${header.slice(parameter.length)}`] = decodeHeaderValue(value) ?? value;
    }
  }
  return mirror;
}
