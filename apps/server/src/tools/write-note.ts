import { randomUUID } from 'node:crypto';
import { RxmcpError } from 'rxmcp';
import { elicit, form, stringField, booleanField } from 'rxmcp/elicitation';
import { resourceLink, text, tool, type Tool, ToolError } from 'rxmcp/tools';
import * as z from 'zod';
import type { Journal } from '../journal/journal.js';
import { type Notebook, titlePattern } from '../notes/notebook.js';
import { noteUri } from '../resources/note-resources.js';

const page = form({
  body: stringField({ title: 'Text', description: 'Is added to the note', minLength: 1, maxLength: 2_000 }),
  confirm: booleanField({ title: 'Write it down', default: true }),
});

/** Asks the client's user what to write, and writes it into a note: once, however often the answer comes. */
export function writeNote(notebook: Notebook, journal: Journal): Tool {
  return tool(
    'write_note',
    {
      title: 'Write a note',
      description:
        'Asks the user for a text and adds it to the note note://{title}, such as {"title": "shopping"}.',
      input: z.object({
        title: z.string().regex(titlePattern, 'must be 1 to 80 letters, digits, blanks, "_" or "-"'),
      }),
      needs: ['elicitation'],
      annotations: { readOnlyHint: false, destructiveHint: false, openWorldHint: false },
    },
    async ({ title }, ctx) => {
      // The request with the answer may arrive twice, and its state says what it was the answer to: one id, one text.
      const id = await ctx.step('id', () => randomUUID());
      const answer = await elicit(ctx, 'body', {
        message: `What should be added to the note "${title}"?`,
        schema: page,
      });
      if (answer.action !== 'accept') return text(`Nothing was written: the user chose ${answer.action}.`);
      if (!answer.content.confirm) return text('Nothing was written: the user did not confirm.');
      let isNew: boolean;
      try {
        isNew = notebook.append(title, answer.content.body, id);
      } catch (error) {
        throw RxmcpError.is(error, 'OVERFLOW') ? new ToolError(error.message) : error;
      }
      if (isNew) journal.note(ctx, 'info', `write_note: ${title}`);
      return [
        text(`Added to the note "${title}".`),
        resourceLink(noteUri(title), title, { mimeType: 'text/plain' }),
      ];
    },
  );
}
