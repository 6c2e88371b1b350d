interface Event {
  readonly frame: number;
  readonly notification: { readonly kind: string; readonly value?: unknown; readonly error?: unknown };
}

/** Events of a marble test as text, one per line. */
export function listed(events: unknown): string {
  if (!Array.isArray(events)) return shown(events);
  return events.map((event: unknown) => (isEvent(event) ? lineOf(event) : shown(event))).join('\n');
}

function lineOf({ frame, notification: { kind, value, error } }: Event): string {
  if (kind === 'N') return `${frame} ms: ${shown(value)}`;
  return `${frame} ms: ${kind === 'C' ? 'complete' : `error ${shown(error)}`}`;
}

function isEvent(event: unknown): event is Event {
  return typeof event === 'object' && event !== null && 'frame' in event && 'notification' in event;
}

function shown(value: unknown): string {
  if (value instanceof Error) return `${value.name}: ${value.message}`;
  try {
    return JSON.stringify(value) ?? String(value);
  } catch {
    return String(value);
  }
}
