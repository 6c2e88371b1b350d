import { decode, type WireError } from '@rxmcp/jsonrpc';
import {
  type Channel,
  estimateRequestBytes,
  processMemory,
  type SendOptions,
  type Sink,
  TransportError,
} from '@rxmcp/transport';
import { HeldBytes, wireErrorToFault, settleWithin } from '@rxmcp/transport/internal';
import type { SessionStream, StreamEndpoint } from './session-stream.js';
import type { SseOptions } from './options.js';
import { post } from './post.js';
import { PostQueue } from './post-queue.js';

const flushWithinMs = 500;
const responsesWithinMs = 250;
const shortestTurnMs = 250;
const longestTurnMs = 2_000;

/** A session of the dialling side: what comes on the stream, and what is posted. */
export class ClientChannel implements Channel {
  readonly #posts: PostQueue;
  /** What ends the posts on their way, and those of whose answers something is still to come. */
  readonly #underway = new Set<AbortController>();

  constructor(
    private readonly sink: Sink,
    private readonly stream: SessionStream,
    { endpoint, tookMs }: StreamEndpoint,
    options: SseOptions,
  ) {
    this.#posts = new PostQueue({
      post: (text) => this.#post(endpoint, text, options),
      // A post that needs a connection of its own takes as long as the dial did, and must not be overtaken on its way.
      turnMs: Math.min(Math.max(2 * tookMs, shortestTurnMs), longestTurnMs),
      writeTimeoutMs: options.writeTimeoutMs ?? 30_000,
      held: new HeldBytes(processMemory(), stream.holder),
      isWaiting: () => options.auth?.isWaiting() === true,
      failed: (error) => this.#end(error),
    });
  }

  start(): void {
    this.stream.start({
      message: (text) => this.#message(text),
      fault: (error) => this.sink.fault(error),
      ended: (error) => this.#streamEnded(error),
      alive: () => this.#posts.alive(),
    });
  }

  send(text: string, sendOptions: SendOptions | undefined): Promise<void> {
    return this.#posts.send(text, sendOptions?.signal);
  }

  async close(): Promise<void> {
    await settleWithin(this.#posts.settled(), flushWithinMs);
    this.#release();
  }

  /** What a server may send is bounded where events are read, whatever the limit on what is sent. */
  #message(text: string): void {
    let value: unknown;
    try {
      value = decode(text);
    } catch (error) {
      this.sink.fault(wireErrorToFault(error as WireError));
      return;
    }
    this.sink.value(value, undefined, estimateRequestBytes(text));
  }

  async #post(endpoint: URL, text: string, options: SseOptions): Promise<void> {
    try {
      await post(endpoint, text, options, this.#underway);
    } catch (error) {
      if (TransportError.is(error) && error.code === 'SESSION_EXPIRED') this.#end(error);
      throw error;
    }
  }

  /** The response to a post and the end of the stream take different ways, and either may come first. */
  #streamEnded(error: TransportError): void {
    this.#posts.stop();
    if (error.code !== 'PEER_CLOSED') this.#end(error);
    else void settleWithin(this.#posts.settled(), responsesWithinMs).then(() => this.#end(error));
  }

  #end(error: TransportError): void {
    this.#release();
    this.sink.closed(error);
  }

  #release(): void {
    this.#posts.stop();
    this.stream.close();
    for (const controller of this.#underway) controller.abort();
  }
}
