import type { Context, LogLevel } from 'rxmcp';
import { filter, type Observable, Subject } from 'rxjs';

/** One thing that the server did. */
interface JournalEntry {
  readonly at: number;
  readonly level: LogLevel;
  readonly message: string;
  /** For whom it was done: a principal, or the anonymous; without it everybody is concerned. */
  readonly for?: { readonly principal: string | undefined };
}

/** What the server did lately; a bounded number of entries, the oldest give way. */
export interface Journal {
  /** Writes down what is done for a caller, and logs it to them. */
  note(ctx: Context, level: LogLevel, message: string): void;
  /** Writes down what was done for the caller of this name, or for the anonymous. */
  record(principal: string | undefined, level: LogLevel, message: string): void;
  /** Writes down what concerns everybody. */
  announce(level: LogLevel, message: string): void;
  /** The entries of the last so many milliseconds that concern this caller, one per line. */
  text(withinMs: number, principal: string | undefined): string;
  /** Emits after each entry that concerns this caller. @stream event */
  written(principal: string | undefined): Observable<unknown>;
}

const maxEntries = 1_000;

/** Makes an empty journal. */
export function openJournal(): Journal {
  const entries: JournalEntry[] = [];
  const written = new Subject<JournalEntry>();
  const write = (entry: JournalEntry): void => {
    entries.push(entry);
    if (entries.length > maxEntries) entries.shift();
    written.next(entry);
  };
  const record: Journal['record'] = (principal, level, message) =>
    write({ at: Date.now(), level, message: oneLine(message), for: { principal } });
  return {
    record,
    note(ctx, level, message) {
      record(ctx.caller.principal, level, message);
      ctx.log(level, message, 'server');
    },
    announce: (level, message) => write({ at: Date.now(), level, message: oneLine(message) }),
    text: (withinMs, principal) =>
      entries
        .filter((entry) => entry.at >= Date.now() - withinMs && concerns(entry, principal))
        .map(({ at, level, message }) => `${new Date(at).toISOString()} ${level} ${message}\n`)
        .join(''),
    written: (principal) => written.pipe(filter((entry) => concerns(entry, principal))),
  };
}

function concerns(entry: JournalEntry, principal: string | undefined): boolean {
  return entry.for === undefined || entry.for.principal === principal;
}

// Part of a message may come from a client, which must not write entries of its own.
function oneLine(message: string): string {
  return message.slice(0, 1_000).replace(/[\p{Cc}\p{Bidi_Control}\u2028\u2029]/gu, ' ');
}
