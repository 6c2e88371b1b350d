import { type Connection, createConnection, pipeTraits, type Sink, TransportError } from '@rxmcp/transport';

/** A text, 1 for each text that was read, or 0 before the end. */
export type Posted = string | 1 | 0;

/** What carries posted messages: a topic of a broker, a port, the channel of a child process. */
export interface Post {
  post(data: Posted): void;
  /** Begins to receive. What was posted before is received then. */
  listen(take: (data: Posted) => void): void;
  /** Calls back when nothing can arrive any more. */
  onGone(gone: () => void): void;
  close(): Promise<void> | void;
}

/** What a connection of posted messages is made of. A mutant replaces one part. */
export interface PostParts {
  /** Whether a send waits while the other side has not read so many messages. */
  isFull(unread: number, isServer: boolean): boolean;
  post(post: Post, data: Posted): void;
  take(sink: Sink, text: string): void;
  /** The carrier has ended, after a goodbye or without one. */
  gone(sink: Sink, inOrder: boolean): void;
  close(post: Post): Promise<void> | void;
}

export const postParts: PostParts = {
  isFull: (unread) => unread > 64,
  post: (post, data) => post.post(data),
  take: (sink, text) => sink.text(text),
  gone: (sink, inOrder) =>
    sink.closed(inOrder ? undefined : new TransportError('CONNECTION_LOST', 'the other side has ended')),
  close(post) {
    post.post(0);
    return post.close();
  },
};

/** A connection of posted messages with credits and a goodbye. */
export function postedConnection(carrier: Post, parts: PostParts, isServer: boolean): Connection {
  let unread = 0;
  let inOrder = false;
  let isOver = false;
  let waiting: (() => void)[] = [];
  const settle = (): void => {
    for (const go of waiting) go();
    waiting = [];
  };
  const traits = { ...pipeTraits, maxMessageBytes: 64 * 1024 };
  return createConnection((sink) => {
    const gone = (): void => {
      if (isOver) return;
      isOver = true;
      parts.gone(sink, inOrder);
    };
    const take = (data: Posted): void => {
      if (data === 0) {
        inOrder = true;
        gone();
      } else if (data === 1) {
        unread -= 1;
        if (!parts.isFull(unread, isServer)) settle();
      } else {
        parts.post(carrier, 1);
        parts.take(sink, data);
      }
    };
    carrier.onGone(gone);
    return {
      start: () => carrier.listen(take),
      send(text) {
        parts.post(carrier, text);
        unread += 1;
        if (parts.isFull(unread, isServer)) return new Promise<void>((go) => waiting.push(go));
        return undefined;
      },
      close() {
        isOver = true;
        return parts.close(carrier);
      },
    };
  }, traits);
}
