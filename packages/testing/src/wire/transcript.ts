import { rejectUnknownOptions } from '@rxmcp/core/internal';
import type { JsonObject, Remote } from '@rxmcp/core';

/** Options of {@link transcript}. */
export interface TranscriptOptions {
  /** Shows `_meta` too, which differs from run to run. @default false */
  readonly meta?: boolean;
}

const knownOptions: Record<keyof TranscriptOptions, true> = {
  meta: true,
};

/** The messages since the recording began. */
export interface Transcript {
  /** One message per line: `>` sent by the client, `<` received by it. Ids are numbered from #1 in order of first use. */
  text(): string;
  /** Throws an error that shows both texts unless they are equal; indentation and empty lines are ignored. */
  compare(expected: string): void;
  /** Ends the recording; the text stays. */
  stop(): void;
}

/** Records the messages of a remote as text, from now on. */
export function transcript(remote: Pick<Remote, 'wire$'>, options: TranscriptOptions = {}): Transcript {
  rejectUnknownOptions('transcript', options, knownOptions);
  const lines: string[] = [];
  const ids = new Map<string, number>();
  const recording = remote.wire$.subscribe(({ direction, message }) => {
    const sign = direction === 'out' ? '>' : '<';
    for (const one of Array.isArray(message) ? message : [message]) {
      lines.push(`${sign} ${lineOf(one as JsonObject, direction, ids, options)}`);
    }
  });
  const text = (): string => lines.join('\n');
  return {
    text,
    compare(expected) {
      const wanted = tidy(expected);
      if (wanted === tidy(text())) return;
      throw new Error(`the transcript differs\n--- expected\n${wanted}\n--- recorded\n${tidy(text())}`);
    },
    stop: () => recording.unsubscribe(),
  };
}

function lineOf(
  message: JsonObject,
  direction: 'in' | 'out',
  ids: Map<string, number>,
  { meta = false }: TranscriptOptions,
): string {
  const { method, id, params, result, error } = message;
  // Ids of the two directions are counted apart on the wire, so a response belongs to the other side's request.
  const asker = method === undefined ? (direction === 'in' ? 'out' : 'in') : direction;
  const number = id === undefined ? undefined : numberOf(ids, `${asker} ${JSON.stringify(id)}`);
  const words = [
    ...(number === undefined ? [] : [`#${number}`]),
    ...(method === undefined ? [error === undefined ? 'result' : 'error'] : [method as string]),
  ];
  const body = shown(params ?? result ?? error, meta, (name, value) => {
    // Sealed anew in each run.
    if (name === 'requestState') return '<state>';
    const isCancelled = name === 'requestId' && method === 'notifications/cancelled';
    return isCancelled ? `#${numberOf(ids, `${direction} ${JSON.stringify(value)}`)}` : value;
  });
  return body === undefined || body === '{}' ? words.join(' ') : `${words.join(' ')} ${body}`;
}

/** `named` gives what to show for the members of the body itself: what is within them is the user's. */
function shown(
  body: unknown,
  meta: boolean,
  named: (name: string, value: unknown) => unknown,
): string | undefined {
  return JSON.stringify(body, function (this: unknown, name, value: unknown) {
    if (name === '_meta' && !meta) return undefined;
    return this === body ? named(name, value) : value;
  });
}

function numberOf(ids: Map<string, number>, key: string): number {
  const number = ids.get(key) ?? ids.size + 1;
  ids.set(key, number);
  return number;
}

function tidy(text: string): string {
  return text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
    .join('\n');
}
