import type { EventStore } from '@modelcontextprotocol/sdk/server/streamableHttp.js';

/** An event store for the official server; the one of its examples loses the order of events of one millisecond. */
export function orderedStore(): EventStore {
  const events: { readonly stream: string; readonly message: Parameters<EventStore['storeEvent']>[1] }[] = [];
  return {
    storeEvent(stream, message) {
      events.push({ stream, message });
      return Promise.resolve(String(events.length));
    },
    getStreamIdForEventId: (id) => Promise.resolve(events[Number(id) - 1]?.stream),
    async replayEventsAfter(lastEventId, { send }) {
      const stream = events[Number(lastEventId) - 1]?.stream ?? '';
      for (const [index, event] of events.entries()) {
        const isPriming = Object.keys(event.message).length === 0;
        if (index >= Number(lastEventId) && event.stream === stream && !isPriming)
          await send(String(index + 1), event.message);
      }
      return stream;
    },
  };
}
