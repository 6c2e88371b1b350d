import { omitUndefined } from '../base/omit-undefined.js';
import { type RequestId, type JsonRpcMessage } from '@rxmcp/jsonrpc';
import { META_KEYS, targetName, decodeHeaderValue } from '@rxmcp/jsonrpc/internal';
import type { SendOptions, Lane, MessageHeaders } from '../contract/contract.js';
import type { Traits } from '../contract/traits.js';
import type { SdkSendOptions } from './sdk-transport.js';

/** A request of this side whose lane is open. */
interface Asked {
  /** Called when the lane ends without a response. */
  readonly ended: (() => void) | undefined;
}

/**
 * Finds the lane of each message where every request has its own lane, since the interface of the SDKs has ids only. Where one
 * lane is shared it does nothing.
 */
export class RequestLanes {
  readonly #perRequest: boolean;
  /** Whether requests of this side carry headers. */
  readonly #carriesHeaders: boolean;
  readonly #asked = new Map<Lane, Asked>();
  readonly #served = new Map<RequestId, Lane>();
  readonly #batches = new WeakSet<Lane>();
  #opening: RequestId | undefined;

  constructor(
    { lanes, carriesHeaders }: Pick<Traits, 'lanes' | 'carriesHeaders'>,
    private readonly dialled: boolean,
  ) {
    this.#perRequest = lanes === 'per-request';
    this.#carriesHeaders = carriesHeaders && dialled;
  }

  /** Returns the send options of a message. */
  sendOptions(
    message: JsonRpcMessage,
    options: SdkSendOptions | undefined,
    version: string | undefined,
  ): SendOptions {
    const lane = this.#perRequest ? this.#laneFor(message, options) : undefined;
    const signal = options?.requestSignal;
    const headers = this.#carriesHeaders ? messageHeaders(message, options?.headers) : undefined;
    // The version in a message takes precedence: an SDK sends its probe before a version is negotiated.
    const spoken = headers?.version ?? version;
    const opens = this.#ends(message);
    return {
      ...omitUndefined({ lane, version: spoken, headers, signal }),
      ...(opens ? { completesHandshake: opens } : {}),
    };
  }

  /** Remembers the lane of a received message. */
  messageReceived(message: unknown, lane: Lane | undefined): void {
    const { id, method } = message as { id?: RequestId; method?: unknown };
    if (method === 'initialize') this.#opening = id;
    if (lane === undefined || id === undefined) return;
    if (method === undefined) this.#asked.delete(lane);
    else this.#served.set(id, lane);
  }

  /** Removes the lane of a request that was not sent. */
  unsent(lane: Lane | undefined): void {
    if (lane !== undefined) this.#asked.delete(lane);
  }

  /** Notes a lane that the messages of a batch share. */
  batchReceived(lane: Lane | undefined): void {
    if (lane !== undefined) this.#batches.add(lane);
  }

  /** Removes a received request that was cancelled. Returns its lane, unless a batch shares it. */
  cancelled(id: RequestId): Lane | undefined {
    const lane = this.#served.get(id);
    this.#served.delete(id);
    return lane === undefined || this.#batches.has(lane) ? undefined : lane;
  }

  /** The connection has ended. */
  end(): void {
    this.#asked.clear();
    this.#served.clear();
  }

  /** Removes a lane that ended. Returns true where it had an unanswered request of this side without `onRequestStreamEnd`. */
  laneClosed(lane: Lane): boolean {
    for (const [id, served] of this.#served) if (served === lane) this.#served.delete(id);
    const call = this.#asked.get(lane);
    this.#asked.delete(lane);
    call?.ended?.();
    return call !== undefined && call.ended === undefined;
  }

  /** Whether a message completes the handshake. */
  #ends(message: JsonRpcMessage): boolean {
    if (this.dialled) return 'method' in message && message.method === 'notifications/initialized';
    const opens = this.#opening !== undefined && responseId(message) === this.#opening;
    if (opens) this.#opening = undefined;
    return opens && 'result' in message;
  }

  #laneFor(message: JsonRpcMessage, options: SdkSendOptions | undefined): Lane | undefined {
    const respondsTo = responseId(message);
    if (respondsTo !== undefined) {
      const lane = this.#served.get(respondsTo);
      this.#served.delete(respondsTo);
      return lane;
    }
    const related = options?.relatedRequestId;
    const lane = related === undefined ? undefined : this.#served.get(related);
    if (lane !== undefined || !this.dialled || !('id' in message)) return lane;
    const own = {};
    this.#asked.set(own, { ended: options?.onRequestStreamEnd });
    return own;
  }
}

function responseId(message: JsonRpcMessage): RequestId | undefined {
  return 'method' in message ? undefined : (message.id ?? undefined);
}

const parameter = 'mcp-param-';

/**
 * Returns the headers of a request of the modern era, read from its body as in the transports of the SDKs; `undefined` for any
 * other message. `headers` are those that an SDK passes for single parameters. MCP 2026-07-28, basic, transports, streamable
 * HTTP, request metadata.
 */
function messageHeaders(
  message: JsonRpcMessage,
  headers: Readonly<Record<string, string>> = {},
): MessageHeaders | undefined {
  if (!('method' in message) || !('id' in message)) return undefined;
  const { method, params } = message;
  const version = (params?._meta as Record<string, unknown> | undefined)?.[META_KEYS.protocolVersion];
  if (typeof version !== 'string') return undefined;
  const sent: Record<string, string> = { version, method };
  const name = targetName(method, params);
  if (name !== undefined) sent.name = name;
  for (const [header, value] of Object.entries(headers)) {
    const key = header.toLowerCase();
    // Our transports encode values themselves where a header cannot hold them.
    if (key.startsWith(parameter)) {
      sent[`param.${header.slice(parameter.length)}`] = decodeHeaderValue(value) ?? value;
    }
  }
  return sent;
}
