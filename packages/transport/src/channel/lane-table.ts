import type { Lane, OutgoingMessage } from '../contract/contract.js';

/** A lane that has not ended. */
interface OpenLane {
  /** Whether this side sent its request. */
  readonly isOwn: boolean;
  /** How many of its requests have no response. */
  unanswered: number;
}

/**
 * Keeps the lanes of a connection from their first message to their end: the response to their request, an end by either side, or
 * the end of the connection. A lane that has ended never opens again.
 */
export class LaneTable {
  readonly #open = new Map<Lane, OpenLane>();
  readonly #ended = new WeakSet<Lane>();

  /** Returns the state of the lane that a message is sent in. A request of this side opens its lane. */
  beforeSend(lane: Lane, out: OutgoingMessage): 'ended' | 'opened' | 'continued' {
    if (this.#ended.has(lane)) return 'ended';
    if (this.#open.has(lane) || !isRequest(out)) return 'continued';
    this.#open.set(lane, { isOwn: true, unanswered: 1 });
    return 'opened';
  }

  /** Counts a message that was sent. A response to the last request of the other side ends the lane. */
  sent(lane: Lane, out: OutgoingMessage): 'answered' | 'continued' {
    const open = this.#open.get(lane);
    return open?.isOwn === false && isResponse(out) ? this.#answered(lane, open) : 'continued';
  }

  /**
   * Counts a message that arrived. A request of the other side opens its lane, and each further one is answered in it as well; a
   * response to the request of this side ends the lane.
   */
  received(lane: Lane, incoming: unknown): 'ended' | 'answered' | 'continued' {
    if (this.#ended.has(lane)) return 'ended';
    const open = this.#open.get(lane);
    if (open?.isOwn === true && isResponse(incoming)) return this.#answered(lane, open);
    if (open === undefined) {
      const unanswered = Array.isArray(incoming) ? incoming.filter(isRequest).length : 1;
      this.#open.set(lane, { isOwn: false, unanswered });
    } else if (!open.isOwn && isRequest(incoming)) open.unanswered += 1;
    return 'continued';
  }

  /** Ends a lane. Returns whether it was open. */
  end(lane: Lane): boolean {
    this.#ended.add(lane);
    return this.#open.delete(lane);
  }

  #answered(lane: Lane, open: OpenLane): 'answered' | 'continued' {
    open.unanswered -= 1;
    if (open.unanswered > 0) return 'continued';
    this.end(lane);
    return 'answered';
  }
}

function isRequest(message: unknown): boolean {
  const { method, id } = (message ?? {}) as { method?: unknown; id?: unknown };
  return method !== undefined && id !== undefined;
}

/** An encoded message is a notification for many receivers. */
function isResponse(message: unknown): boolean {
  const { result, error } = (message ?? {}) as { result?: unknown; error?: unknown };
  return result !== undefined || error !== undefined;
}
