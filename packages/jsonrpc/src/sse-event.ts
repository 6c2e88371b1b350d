/** One event of a `text/event-stream`. WHATWG HTML, server-sent events. */
export interface SseEvent {
  /** Its name. @default 'message' */
  readonly event?: string;
  /** What a receiver asks to continue after. */
  readonly id?: string;
  readonly data: string;
  /** How long a receiver should wait before it connects again, in milliseconds. */
  readonly retry?: number;
}

const lineEnd = /\r\n|\r|\n/;

/**
 * Gives the text of one event, with its end. Throws a TypeError for an `event` or `id` with a line end or a NUL, which a
 * reader would take for other fields or for none, and for a `retry` that is no whole number of milliseconds.
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
