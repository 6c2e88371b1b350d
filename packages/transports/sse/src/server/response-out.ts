import type { OutgoingHttpHeaders, ServerResponse } from 'node:http';
import type { EventOut } from './event-writer.js';

/** A response of Node as the way out of a stream. Its head goes out with what is written first. */
export function responseOut(response: ServerResponse, headers: OutgoingHttpHeaders): EventOut {
  return {
    write(text) {
      if (!response.headersSent) response.writeHead(200, headers);
      return response.write(text);
    },
    end: () => void response.end(),
    destroy: () => void response.destroy(),
    // Requests that came together in other sockets get their answers into the same write.
    soon: (run) => void setImmediate(run),
  };
}
