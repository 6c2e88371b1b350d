import type { Encoded } from '@rxmcp/jsonrpc';
import type { Lane } from '@rxmcp/transport';
import type { Writer } from '../peer/writer.js';

/** Notices of one connection: while its peer is slow the latest per key waits, and nothing else does. */
export class Notices {
  private readonly held = new Map<string, { text: Encoded; lane: Lane | undefined }>();

  constructor(private readonly writer: Writer) {}

  send(key: string, text: Encoded, lane: Lane | undefined): void {
    if (!this.writer.saturated) {
      void this.writer.send(text, lane === undefined ? undefined : { lane });
      return;
    }
    if (this.held.size === 0) this.writer.onDrain(this.flush);
    this.held.set(key, { text, lane });
  }

  /** Forgets what waits under one key. */
  drop(key: string): void {
    this.held.delete(key);
  }

  /** Forgets what waits under keys that start so. */
  forget(prefix: string): void {
    for (const key of this.held.keys()) if (key.startsWith(prefix)) this.held.delete(key);
  }

  private readonly flush = (): void => {
    const due = [...this.held.values()];
    this.held.clear();
    for (const { text, lane } of due) void this.writer.send(text, lane === undefined ? undefined : { lane });
  };
}
