import type { ServerResponse } from 'node:http';
import type { EventOut } from './event-writer.js';

/** A response of Node as the way out of a stream. */
export function responseOut(response: ServerResponse): EventOut {
  return {
    write: (text) => response.write(text),
    end: () => void response.end(),
    destroy: () => void response.destroy(),
    // Requests that came together in other sockets get their answers into the same write.
    soon: (run) => void setImmediate(run),
  };
}
