import { type Lane, notSentError, TransportError } from '@rxmcp/transport';
import type { ClientContext } from './delivery.js';
import { post } from './post.js';
import { estimatePostBytes, type HeldBytes, onAbort, readTime } from '@rxmcp/transport/internal';

/** What is to be posted, and when. */
export interface Post {
  readonly text: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly lane: Lane | undefined;
  readonly signal: AbortSignal | undefined;
  /** The last words of an opening, which nothing may overtake. */
  readonly opening: Promise<void> | undefined;
}

/** What a post that waited counts for among the responses that are read: many may have to be sent, or aborted, at once. */
const postBytes = 64 * 1024;
const maxPosts = 64;
const maxWaiting = 1_024;

/**
 * The messages that get no response: notifications, and our own responses, of which a server can make us send as many as it likes.
 * So a few of them are on their way at a time, some wait, and more end the connection. Those without a lane keep their order.
 */
export class PostSender {
  readonly #unsettled = new Map<AbortController, Promise<void>>();
  readonly #waiting: (() => void)[] = [];
  readonly #held: HeldBytes;
  #free = maxPosts;
  /** The last message without a lane. */
  #last: Promise<void> | undefined;

  constructor(private readonly host: ClientContext) {
    this.#held = host.held();
  }

  /** Resolves when the server has accepted the message; rejects with a {@link TransportError}. */
  send(message: Post): Promise<void> {
    const { text, headers, lane, signal, opening } = message;
    const bytes = estimatePostBytes(text);
    if (this.#unsettled.size >= maxPosts + maxWaiting || !this.#held.grow(bytes))
      return Promise.reject(this.#overflow());
    const controller = new AbortController();
    const forget = onAbort(signal, () => controller.abort());
    const begin = (): Promise<void> => this.#inTurn(() => post(this.host, text, headers, controller));
    const last = this.#last;
    const before = lane !== undefined ? opening : opening === undefined ? last : opening.then(() => last);
    const sent = before === undefined ? begin() : before.then(begin);
    const over = (): void => {
      forget();
      this.#held.grow(-bytes);
      this.#unsettled.delete(controller);
    };
    const settled = sent.then(over, over);
    this.#unsettled.set(controller, settled);
    if (lane === undefined) this.#keepOrder(settled);
    return sent;
  }

  /** Resolves when nothing is on its way and nothing waits of what was sent so far. */
  settled(): Promise<unknown> {
    return Promise.all(this.#unsettled.values());
  }

  /** Aborts all posts, sent and waiting. */
  abort(): void {
    // Without a reason each would make an error of its own, with a stack.
    const { reason } = AbortSignal.abort();
    for (const controller of this.#unsettled.keys()) controller.abort(reason);
  }

  /** Posts when a slot is free. The slot stays taken until the whole reply was read or cancelled, like its socket. */
  async #inTurn(begin: () => Promise<{ readonly left: Promise<unknown> }>): Promise<void> {
    if (this.#free > 0) this.#free -= 1;
    else {
      await new Promise<void>((resolve) => this.#waiting.push(resolve));
      await readTime(postBytes);
    }
    const leave = (): void => {
      const next = this.#waiting.shift();
      if (next === undefined) this.#free += 1;
      else next();
    };
    try {
      const { left } = await begin();
      void left.then(leave);
    } catch (error) {
      leave();
      throw error;
    }
  }

  #keepOrder(settled: Promise<void>): void {
    this.#last = settled;
    void settled.then(() => {
      if (this.#last === settled) this.#last = undefined;
    });
  }

  #overflow(): TransportError {
    const { link } = this.host;
    const message = `${link.server} accepts messages slower than they are sent`;
    // Nothing is reported inside a send.
    queueMicrotask(() => this.host.end(new TransportError('OVERFLOW', message)));
    return notSentError('OVERFLOW', message);
  }
}
