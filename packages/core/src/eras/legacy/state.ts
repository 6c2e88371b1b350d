import type { Caller } from '../../context.js';
import type { LogLevel } from '../../items.js';

/** What a handshake settled, for the life of its connection. */
export interface LegacyState {
  readonly version: string;
  readonly caller: Caller;
  /** Older revisions answer something unreadable with a null id. */
  readonly nullIds: boolean;
  /** The client said that it is ready. */
  ready: boolean;
  /** What `logging/setLevel` asked for; before that nothing is sent. */
  logLevel: LogLevel | undefined;
  /** How to end each subscription, by uri. */
  watches: Map<string, () => void> | undefined;
  /** Ends the notices of changed lists. */
  stopLists: (() => void) | undefined;
}
