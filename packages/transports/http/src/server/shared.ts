import type { Acceptor } from '@rxmcp/transport';
import type { Budget } from '@rxmcp/transport/guard';
import type { KeptCount } from './kept-streams.js';
import type { PostLane } from './lane.js';
import type { Bounds } from './options.js';
import type { Ring } from './ring.js';
import type { EventStore } from './store.js';
import type { EventStream } from './stream.js';
import type { Sweep } from './sweep.js';

/** What everything that is served under one URL shares. */
export interface Shared {
  readonly acceptor: Acceptor;
  readonly bounds: Bounds;
  readonly sweep: Sweep;
  readonly waiting: Ring<PostLane>;
  readonly streams: Ring<EventStream>;
  readonly store: EventStore | undefined;
  /** What may wait for readers who came back, in characters. */
  readonly replays: Budget;
  /** How many streams can be asked for again. */
  readonly kept: KeptCount;
}
