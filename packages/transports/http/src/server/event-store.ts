import { rejectUnknownOptions } from '@rxmcp/transport/internal';

/**
 * Stores the SSE events of streams, so that a client can resume a stream with `Last-Event-ID` after its connection was lost. Sessions
 * of the legacy era use it; the modern era has no resumable streams. MCP 2025-11-25, basic, transports, resumability and redelivery.
 */
export interface EventStore {
  /**
   * Stores an event and returns its id, which identifies both the stream and the position in it. The id must not contain a line
   * end or a NUL. A text may be empty. If it throws or rejects, the stream ends, but not its session.
   */
  append(stream: string, text: string): string | Promise<string>;
  /** Returns the events of the same stream after that event, in order; `undefined` for an id that is unknown or no longer stored. */
  readAfter(id: string): Replay | undefined | Promise<Replay | undefined>;
  /** Deletes the events of a stream that can no longer be resumed. Must not throw. */
  deleteStream(stream: string): void;
}

/** The events of a stream after one event: the result of {@link EventStore.readAfter}. */
export interface Replay {
  /** The `stream` argument with which these events were appended. */
  readonly streamId: string;
  /** The events, the oldest first. */
  readonly events: readonly StoredEvent[];
}

/** One stored event of a {@link Replay}. */
export interface StoredEvent {
  /** The `id` field of the SSE event, as `append` returned it. */
  readonly id: string;
  /** The `data` field of the SSE event: a JSON-RPC message, or empty. */
  readonly text: string;
}

/** Options of {@link memoryEventStore}. */
export interface MemoryEventStoreOptions {
  /** How many events of one stream are stored; the oldest are removed first. @default 1024 */
  readonly maxEventsPerStream?: number;
  /** How many characters of one stream are stored. @default 4194304 */
  readonly maxCharactersPerStream?: number;
  /** How many characters of all streams are stored; the events of the oldest streams are removed first. @default 67108864 */
  readonly maxTotalCharacters?: number;
}

const knownOptions: Record<keyof MemoryEventStoreOptions, true> = {
  maxEventsPerStream: true,
  maxCharactersPerStream: true,
  maxTotalCharacters: true,
};

interface Kept {
  /** The number of the first event that is kept. */
  first: number;
  bytes: number;
  readonly texts: string[];
}

const longestId = 256;

/** Creates an event store in the memory of this process. Over a limit it removes the oldest events. */
export function memoryEventStore(options: MemoryEventStoreOptions = {}): EventStore {
  rejectUnknownOptions('memoryEventStore', options, knownOptions, {
    maxEvents: 'maxEventsPerStream',
    maxBytes: 'maxCharactersPerStream',
    maxTotalBytes: 'maxTotalCharacters',
  });
  const {
    maxEventsPerStream = 1_024,
    maxCharactersPerStream = 4 * 1024 * 1024,
    maxTotalCharacters = 64 * 1024 * 1024,
  } = options;
  const streams = new Map<string, Kept>();
  /** The streams with stored events: empty streams are skipped when events are removed. */
  const holding = new Set<Kept>();
  let total = 0;

  const dropFirst = (kept: Kept): void => {
    const length = kept.texts.shift()?.length ?? 0;
    kept.first += 1;
    kept.bytes -= length;
    total -= length;
    if (kept.texts.length === 0) holding.delete(kept);
  };
  const makeRoom = (latest: Kept): void => {
    while (
      latest.texts.length > maxEventsPerStream ||
      (latest.bytes > maxCharactersPerStream && latest.texts.length > 1)
    )
      dropFirst(latest);
    for (const kept of holding) {
      if (total <= maxTotalCharacters) return;
      while (total > maxTotalCharacters && kept.texts.length > (kept === latest ? 1 : 0)) dropFirst(kept);
    }
  };

  return {
    append(stream, text) {
      let kept = streams.get(stream);
      if (kept === undefined) streams.set(stream, (kept = { first: 1, bytes: 0, texts: [] }));
      kept.texts.push(text);
      holding.add(kept);
      kept.bytes += text.length;
      total += text.length;
      const id = `${stream}-${String(kept.first + kept.texts.length - 1)}`;
      makeRoom(kept);
      return id;
    },
    readAfter(id) {
      if (id.length > longestId) return undefined;
      const [, stream, number] = /^(.+)-([1-9]\d{0,14})$/.exec(id) ?? [];
      const kept = stream === undefined ? undefined : streams.get(stream);
      if (stream === undefined || kept === undefined) return undefined;
      // The id before the first stored event is still a valid position.
      const from = Number(number) + 1 - kept.first;
      if (from < 0 || from > kept.texts.length) return undefined;
      const events = kept.texts.slice(from).map((text, index) => ({
        id: `${stream}-${String(kept.first + from + index)}`,
        text,
      }));
      return { streamId: stream, events };
    },
    deleteStream(stream) {
      const kept = streams.get(stream);
      if (kept === undefined) return;
      total -= kept.bytes;
      holding.delete(kept);
      streams.delete(stream);
    },
  };
}
