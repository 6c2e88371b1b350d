import { type JsonObject, WireError } from '@rxmcp/jsonrpc';
import { withRequestId, cloneJson } from '@rxmcp/jsonrpc/internal';
import { identityOf, isCallerIdentity } from '../credentials/caller-identity.js';
import { copyAsJson } from '../channel/channel.js';
import type { Channel, Sink } from '../channel/channel-contract.js';
import type { ReceiveInfo, SendOptions, OutgoingMessage } from '../contract/contract.js';
import { notSentError, TransportError, wireErrorToFault } from '../contract/error.js';
import { EarlyMessages } from '../memory/early-messages.js';
import { estimateMessageBytes } from '../memory/estimate.js';
import { connectionHolder } from '../memory/held-bytes.js';
import type { UnreadOutput } from '../memory/unread-output.js';
import { TaskQueue } from '../base/task-queue.js';
import type { SdkSendOptions, SdkTransport } from './sdk-transport.js';

type Event = (sink: Sink) => void;

/**
 * A channel over a transport of the SDK's interface. The constructor assigns the callbacks, so that nothing is missed while the
 * transport connects. `start` connects it where `connect` was not called before: then nothing is read before `start`.
 */
export class SdkChannel implements Channel<OutgoingMessage> {
  readonly #turns = new TaskQueue();
  #sink: Sink | undefined;
  readonly #held: Event[] = [];
  readonly #early: EarlyMessages;
  /** What the sends take that the transport has not accepted, in bytes. */
  #unsentBytes = 0;
  #connected = false;
  #over = false;
  #version: string | undefined;
  /** The last error since the last message: the likely cause of an end that follows. */
  #lastError: unknown;

  /** @param unread Charges for what the transport has not accepted. */
  constructor(
    private readonly transport: SdkTransport,
    holder = connectionHolder(),
    private readonly unread?: UnreadOutput,
  ) {
    this.#early = new EarlyMessages({ holder });
    transport.onmessage = (message, extra) => this.#arrived(message, extra);
    transport.onerror = (error) => {
      if (this.#over) return;
      this.#lastError = error;
      this.#emit((sink) => sink.fault(reported(error)));
    };
    transport.onclose = () => this.#ended(this.#likelyCause());
  }

  start(sink: Sink): void {
    this.#sink = sink;
    this.#early.release();
    for (const event of this.#held.splice(0)) this.#emit(event);
    this.connect().catch((cause: unknown) => {
      this.#ended(TransportError.from(cause, 'DIAL_FAILED'));
      this.#endTransport();
    });
  }

  /** Starts the transport, once. */
  async connect(): Promise<void> {
    if (this.#connected) return;
    this.#connected = true;
    await this.transport.start();
  }

  send(out: OutgoingMessage, sendOptions: SendOptions | undefined): Promise<void> | void {
    if (this.#over) throw notSentError('CLOSED', 'the transport is closed');
    const version = sendOptions?.version;
    if (version !== undefined && version !== this.#version) {
      this.#version = version;
      this.transport.setProtocolVersion?.(version);
    }
    const { signal } = sendOptions ?? {};
    const options: SdkSendOptions | undefined = signal === undefined ? undefined : { requestSignal: signal };
    const message = copyAsJson(out);
    const sent = this.transport.send(message, options);
    if (this.unread !== undefined) this.#charge(this.unread, estimateMessageBytes(message), sent);
    return sent;
  }

  #charge(unread: UnreadOutput, bytes: number, sent: Promise<void>): void {
    const settled = (): void => void unread.hold((this.#unsentBytes -= bytes));
    Promise.resolve(sent).then(settled, settled);
    if (unread.hold((this.#unsentBytes += bytes))) return;
    this.#ended(unread.error());
    this.#endTransport();
  }

  async close(): Promise<void> {
    this.#over = true;
    this.#drop();
    this.unread?.end();
    await this.transport.close();
  }

  #arrived(message: unknown, extra: unknown): void {
    if (this.#over) return;
    this.#lastError = undefined;
    let value: unknown;
    try {
      // In one process the message may be an object of the sender; elsewhere its depth is unknown.
      value = cloneJson(message);
    } catch (error) {
      const rejected = new WireError('INVALID_MESSAGE', (error as Error).message);
      this.#emit((sink) => sink.fault(wireErrorToFault(withRequestId(rejected, message))));
      return;
    }
    const info = receiveInfoOf(extra);
    const heldBytes = estimateMessageBytes(value);
    this.#emit((sink) => sink.value(value, info, heldBytes), heldBytes);
  }

  #ended(error: TransportError | undefined): void {
    if (this.#over) return;
    this.#over = true;
    this.unread?.end();
    const end: Event = (sink) => sink.closed(error);
    if (this.#sink === undefined) this.#held.push(end);
    else this.#emit(end);
  }

  #likelyCause(): TransportError | undefined {
    if (this.#lastError === undefined) return undefined;
    return TransportError.from(this.#lastError, 'CONNECTION_LOST');
  }

  #emit(event: Event, heldBytes = 0): void {
    const sink = this.#sink;
    if (sink !== undefined) this.#turns.later(() => event(sink));
    else if (this.#early.add(heldBytes)) this.#held.push(event);
    else this.#flooded();
  }

  #flooded(): void {
    this.#over = true;
    this.#drop();
    this.#held.push((sink) => sink.closed(this.#early.error()));
    this.#endTransport();
  }

  #endTransport(): void {
    // An async function, so that a `close` that throws or returns nothing is handled too.
    const end = async (): Promise<void> => this.transport.close();
    end().catch(() => undefined);
  }

  #drop(): void {
    this.#held.length = 0;
    this.#early.release();
  }
}

/** The members of the SDK's `AuthInfo` that identify a caller. */
interface AuthInfo {
  readonly clientId?: unknown;
  readonly extra?: JsonObject;
  readonly scopes?: readonly string[];
}

/** An authenticated transport passes client id, scopes and other facts of the token with each message. */
function receiveInfoOf(extra: unknown): ReceiveInfo | undefined {
  const { authInfo } = (extra as { authInfo?: AuthInfo } | undefined) ?? {};
  const principal = authInfo?.clientId;
  if (typeof principal !== 'string') return undefined;
  const caller = identityOf({ principal, claims: authInfo?.extra, scopes: authInfo?.scopes });
  return isCallerIdentity(caller) ? caller : { principal };
}

function reported(error: Error): TransportError {
  if (TransportError.is(error)) return error;
  const { message } = error;
  const code = error instanceof SyntaxError ? 'PARSE_ERROR' : 'INVALID_MESSAGE';
  // Only a syntax error certainly concerns a message, which must be answered; other errors may not.
  // Its own cause: V8's error keeps the whole text of the message.
  if (code === 'PARSE_ERROR')
    return wireErrorToFault(new WireError(code, message, { cause: new SyntaxError(message) }));
  return new TransportError(code, message, { cause: error });
}
