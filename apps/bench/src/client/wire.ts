import type { Reply } from '../requests.js';

/** What carries the messages of the bench, the same for every contestant. */
export interface Wire {
  /** Takes what is answered, in the order of its coming. Set by who calls. */
  take: (replies: readonly Reply[]) => void;
  /** Called when something fails; the measurement ends then. */
  fail: (error: unknown) => void;
  /** Sends one request, in a write of its own. */
  send(request: string, method: string): void;
  /** Sends what is not answered. Resolves when the next message cannot overtake it. */
  notify(notification: string, method: string): Promise<void>;
  /** Ends its connections. */
  close(): void;
}
