import type { Caller } from '@rxmcp/core';

const maxWaiting = 256;

/** Who waits to hear that something opened elsewhere is done: by server, and by the id that the server gave it. */
export class Completions {
  // What a server declared is one object for as long as its session lasts: ids of one server say nothing to another.
  private readonly servers = new WeakMap<object, Map<string, () => void>>();

  /** Resolves when the server tells of this id; it keeps the last 256 of each server. */
  wait({ capabilities }: Caller, id: string): Promise<void> {
    const waiting = this.servers.get(capabilities) ?? new Map<string, () => void>();
    this.servers.set(capabilities, waiting);
    const oldest = waiting.size < maxWaiting ? undefined : waiting.keys().next().value;
    if (oldest !== undefined) waiting.delete(oldest);
    return new Promise((resolve) => waiting.set(id, resolve));
  }

  /** Nobody waits for it any more. */
  forget({ capabilities }: Caller, id: string): void {
    this.servers.get(capabilities)?.delete(id);
  }

  /** An id that is unknown, or was told of before, is ignored. */
  told({ capabilities }: Caller, id: unknown): void {
    const waiting = this.servers.get(capabilities);
    if (typeof id !== 'string') return;
    waiting?.get(id)?.();
    waiting?.delete(id);
  }
}
