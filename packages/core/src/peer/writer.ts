import type { Message } from '@rxmcp/jsonrpc';
import type { Connection, Envelope, Outgoing } from '@rxmcp/transport';
import { accepted, TransportError } from '@rxmcp/transport';

/** What the writer tells its owner. */
export interface WriterHooks {
  /** A message leaves; only looked up when somebody watches the wire. */
  wire?: ((direction: 'in' | 'out', message: unknown) => void) | undefined;
  /** A message could not be sent. */
  unsent(error: TransportError, out: Outgoing): void;
}

/** Sends on one connection and knows whether its peer keeps up. */
export class Writer {
  /** The revision that is told beside every message; absent = with none. */
  version: string | undefined = undefined;
  private waiting = 0;
  private readonly drained = new Set<() => void>();

  constructor(
    private readonly connection: Connection,
    private readonly hooks: WriterHooks,
  ) {}

  /** True while the carrier has not taken all that was sent: what may be conflated should be. */
  get saturated(): boolean {
    return this.waiting > 0;
  }

  /** Sends; a failure goes to `failed`, or to the owner's `unsent` hook. */
  send(out: Outgoing, envelope?: Envelope, failed?: (error: TransportError) => void): Promise<void> {
    if (this.hooks.wire !== undefined) this.hooks.wire('out', 'text' in out ? out.message : out);
    const { version } = this;
    const beside =
      version === undefined || envelope?.version !== undefined ? envelope : { ...envelope, version };
    const taken = this.connection.send(out, beside);
    if (taken === accepted) return taken;
    this.waiting += 1;
    return taken.then(this.settled, (cause: unknown) => {
      this.settled();
      const error = TransportError.from(cause, 'SEND_FAILED');
      if (failed === undefined) this.hooks.unsent(error, out);
      else failed(error);
    });
  }

  /** Calls back once when the carrier has taken everything. */
  onDrain(callback: () => void): void {
    this.drained.add(callback);
  }

  /** Forgets a callback of {@link onDrain}. */
  offDrain(callback: () => void): void {
    this.drained.delete(callback);
  }

  private readonly settled = (): void => {
    this.waiting -= 1;
    if (this.waiting > 0 || this.drained.size === 0) return;
    const callbacks = [...this.drained];
    this.drained.clear();
    for (const callback of callbacks) callback();
  };
}

/** Makes a notification. */
export function notification(method: string, params?: Record<string, unknown>): Message {
  return params === undefined ? { jsonrpc: '2.0', method } : { jsonrpc: '2.0', method, params };
}
