import { complain, type HttpExchange, interrupted, loopTurns } from '@rxmcp/transport/internal';
import type { EventStore, EventReplay } from './event-store.js';
import { EventStream } from './event-stream.js';
import type { StreamHost } from './stream-host.js';

const longestId = 256;
/** How many streams of one session may be looked up at a time. */
const maxLookups = 64;

/** A session whose streams can be resumed. */
export interface ResumableSession extends StreamHost<EventStream> {
  /** How many streams are being looked up. */
  lookups: number;
  /** The name of its caller. */
  readonly holder: string;
  exchangeEnded(): void;
  /** The open stream of a name; 'over' for one that has ended. */
  streamNamed(name: string): EventStream | 'over' | undefined;
  /** Takes a place for a stream that is kept. Returns false where all are taken. */
  reserve(store: EventStore): boolean;
  streamOpened(stream: EventStream): void;
}

/** Gives a client the rest of a stream that was cut. 2025-11-25, transports, resumability and redelivery. */
export function resumeFrom(
  session: ResumableSession,
  store: EventStore,
  exchange: HttpExchange,
  lastId: string,
): void {
  if (session.lookups >= maxLookups) {
    session.exchangeEnded();
    return interrupted(exchange, 'too many streams of this session are being resumed');
  }
  if (lastId.length > longestId || !/^[\x21-\x7e]+$/.test(lastId)) return reject(session, exchange);
  const waiting = waitingReader(session, exchange);
  // Reading a replay takes milliseconds, and a client may ask for the same one with many requests at a time.
  loopTurns.run(session.holder, () => {
    session.lookups -= 1;
    if (waiting.hasEnded) return;
    let found: EventReplay | undefined | Promise<EventReplay | undefined>;
    try {
      found = store.readAfter(lastId);
    } catch {
      return unavailable(session, exchange);
    }
    if (found instanceof Promise) later(session, store, exchange, lastId, found);
    else attach(session, store, exchange, found);
  });
}

/** Counts a reader that waits for its replay, and notes whether it has disconnected. */
function waitingReader(session: ResumableSession, exchange: HttpExchange): { readonly hasEnded: boolean } {
  const reader = { hasEnded: false };
  session.lookups += 1;
  exchange.owner = {
    ended: () => {
      reader.hasEnded = true;
      session.exchangeEnded();
    },
    drained: () => undefined,
    stalled: () => undefined,
  };
  return reader;
}

/** A slow store: what is said between its response and the attaching must be neither lost nor doubled. */
function later(
  session: ResumableSession,
  store: EventStore,
  exchange: HttpExchange,
  lastId: string,
  found: Promise<EventReplay | undefined>,
): void {
  const waiting = waitingReader(session, exchange);
  let stream: EventStream | 'over' | undefined;
  found
    .then((replay) => {
      stream = replay === undefined ? undefined : session.streamNamed(replay.streamId);
      if (!(stream instanceof EventStream)) return replay;
      stream.hold();
      return store.readAfter(lastId);
    })
    .then(
      (replay) => void (waiting.hasEnded || attach(session, store, exchange, replay)),
      () => void (waiting.hasEnded || unavailable(session, exchange)),
    )
    .finally(() => {
      session.lookups -= 1;
      if (stream instanceof EventStream) stream.unhold();
    });
}

function attach(
  session: ResumableSession,
  store: EventStore,
  exchange: HttpExchange,
  replay: EventReplay | undefined,
): void {
  const stream = replay === undefined ? undefined : session.streamNamed(replay.streamId);
  if (replay === undefined || stream === undefined) return reject(session, exchange);
  if (stream !== 'over') return stream.resume(exchange, replay);
  const rest = new EventStream(session, {
    store,
    name: replay.streamId,
    holder: session.holder,
    primes: false,
  });
  rest.finished = true;
  // Known by its name, so that it too has one reader at a time.
  if (session.reserve(store)) session.streamOpened(rest);
  rest.resume(exchange, replay);
}

function reject(session: ResumableSession, exchange: HttpExchange): void {
  exchange.owner = undefined;
  session.exchangeEnded();
  complain(exchange, { status: 400, message: 'there is nothing to resume after this Last-Event-ID' });
}

function unavailable(session: ResumableSession, exchange: HttpExchange): void {
  exchange.owner = undefined;
  session.exchangeEnded();
  complain(exchange, { status: 500, message: 'the missed events cannot be read' });
}
