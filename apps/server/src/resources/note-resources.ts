import { template, type Template } from 'rxmcp/resources';
import { map, type Observable } from 'rxjs';
import type { Notebook } from '../notes/notebook.js';

/** The notes, one resource each. @stream state */
export function noteResources(notebook: Notebook): Observable<readonly Template[]> {
  const read = ({ title }: { readonly title: string }): Observable<string> | null =>
    notebook.note(title) ?? null;
  return notebook.titles$.pipe(
    map((titles) => [
      template(
        'note://{title}',
        {
          name: 'note',
          title: 'A note',
          description: 'Written with the tool write_note; in memory, and seen by all clients of this server.',
          mimeType: 'text/plain',
          shared: true,
          list: titles.map((title) => ({ uri: noteUri(title), name: title })),
        },
        read,
      ),
    ]),
  );
}

/** The uri of a note. */
export function noteUri(title: string): string {
  return `note://${encodeURIComponent(title)}`;
}
