/** One event of a `text/event-stream`. WHATWG HTML, server-sent events. */
export interface SseEvent {
  /** The name of the event. @default 'message' */
  readonly event?: string;
  /** The id that a receiver sends as `Last-Event-ID` to continue after this event. */
  readonly id?: string;
  readonly data: string;
  /** How long a receiver should wait before it connects again, in milliseconds. */
  readonly retry?: number;
}

const lineEnd = /\r\n|\r|\n/;

/**
 * Returns the text of one event, with the blank line that ends it. Throws a TypeError for an `event` or `id` with a line end or a
 * NUL, which a reader would misread, and for a `retry` that is not a whole number of milliseconds.
 */
export function encodeSseEvent({ event, id, data, retry }: SseEvent): string {
  let text = '';
  if (event !== undefined) text += `event: ${inOneLine('event', event)}\n`;
  if (id !== undefined) text += `id: ${inOneLine('id', id)}\n`;
  if (retry !== undefined) {
    if (!Number.isSafeInteger(retry) || retry < 0)
      throw new TypeError(`"retry" of an event must be whole milliseconds, not ${retry}`);
    text += `retry: ${retry}\n`;
  }
  return data.includes('\n') || data.includes('\r')
    ? `${text}data: ${data.split(lineEnd).join('\ndata: ')}\n\n`
    : `${text}data: ${data}\n\n`;
}

function inOneLine(name: string, value: string): string {
  if (value.includes('\n') || value.includes('\r') || value.includes('\0'))
    throw new TypeError(`"${name}" of an event must have no line end and no NUL`);
  return value;
}
