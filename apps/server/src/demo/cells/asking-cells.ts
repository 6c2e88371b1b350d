import { pathToFileURL } from 'node:url';
import { join } from 'node:path';
import { once } from 'rxmcp';
import { resources, readText } from 'rxmcp/resources';
import { tools } from 'rxmcp/tools';
import { carriesAsks, feature, type Feature, same } from '../cell.js';

/** What a server asks of its client while a tool runs. */
export const askingCells: readonly Feature[] = [
  feature(
    'sampling',
    async ({ remote, fresh, write, model }) => {
      const [file, text] = [`sampling-${fresh()}.txt`, fresh()];
      await write(file, `A sentence with ${text}.\n`);
      model.says = fresh();
      const call = tools(remote).call('summarize_file', { filepath: file });
      const { by, summary } = structured((await once(call)).structuredContent);
      same('who wrote the summary', by, 'model');
      same('the summary', summary, model.says);
      same('that the model got the file', model.heard.includes(text), true);
    },
    carriesAsks,
  ),
  feature(
    'roots',
    async ({ remote, folder, fresh, write, within }) => {
      const [word, inside] = [fresh(), `roots-${fresh()}`];
      await write(`${inside}/in.txt`, `${word}\n`);
      await write(`${inside}-beside/out.txt`, `${word}\n`);
      const root = { uri: pathToFileURL(join(folder, inside)).href, name: inside };
      const found = await within([root], () => once(tools(remote).call('search_files', { query: word })));
      const { matches, scope } = structured(found.structuredContent);
      same(
        'what was found',
        (matches as { path: string }[]).map(({ path }) => path),
        [`${inside}/in.txt`],
      );
      same('that the root is named', String(scope).includes(inside), true);
    },
    carriesAsks,
  ),
  feature(
    'elicitation',
    async ({ remote, fresh, user }) => {
      const title = `note ${fresh()}`;
      user.writes = fresh();
      await once(tools(remote).call('write_note', { title }));
      const [note] = await once(resources(remote).read(`note://${encodeURIComponent(title)}`));
      same('the note', note === undefined ? undefined : readText(note), `${user.writes}\n`);
    },
    carriesAsks,
  ),
];

function structured(value: unknown): Readonly<Record<string, unknown>> {
  return (value ?? {}) as Readonly<Record<string, unknown>>;
}
