import { BehaviorSubject, type Observable } from 'rxjs';
import { RxmcpError } from 'rxmcp';

/** Notes in memory, shared by all clients of this server. */
export interface Notebook {
  /** The titles, in the order in which they came. @stream state */
  readonly titles$: Observable<readonly string[]>;
  /** The text of a note as it changes. @stream state */
  note(title: string): Observable<string> | undefined;
  /**
   * Adds to a note, which begins with that where it is new; `false` for an id that was written before, of the last 1,000.
   * Throws OVERFLOW where the note, or the number of notes, gets too large.
   */
  append(title: string, body: string, id: string): boolean;
}

/** What a title may be: short, readable, and one segment of a uri. */
export const titlePattern = /^[\p{L}\p{N}][\p{L}\p{N} _-]{0,79}$/u;

const maxNotes = 100;
const maxChars = 65_536;
const maxWritten = 1_000;

/** Makes an empty notebook. */
export function openNotebook(): Notebook {
  const notes = new Map<string, BehaviorSubject<string>>();
  const written = new Set<string>();
  const titles = new BehaviorSubject<readonly string[]>([]);
  return {
    titles$: titles.asObservable(),
    note: (title) => notes.get(title),
    append(title, body, id) {
      if (written.has(id)) return false;
      const note = notes.get(title);
      const text = `${note?.value ?? ''}${body}\n`;
      if (text.length > maxChars)
        throw new RxmcpError('OVERFLOW', `note "${title}" is full: ${maxChars} characters`);
      if (note === undefined && notes.size >= maxNotes)
        throw new RxmcpError('OVERFLOW', `the notebook is full: ${maxNotes} notes`);
      written.add(id);
      if (written.size > maxWritten) written.delete(written.values().next().value ?? '');
      if (note !== undefined) note.next(text);
      else {
        notes.set(title, new BehaviorSubject(text));
        titles.next([...notes.keys()]);
      }
      return true;
    },
  };
}
