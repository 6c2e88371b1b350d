import { once, type ResourceContents } from 'rxmcp';
import { resources, readText, uriTemplate } from 'rxmcp/resources';
import { concatMap, filter, firstValueFrom, map, type Observable } from 'rxjs';
import { carriesNotices, feature, type Feature, same } from '../cell.js';

/** Reading, following and finding resources. */
export const resourceCells: readonly Feature[] = [
  feature('read', async ({ remote, fresh, write }) => {
    const text = fresh();
    const uri = await write(`read-${fresh()}.txt`, text);
    same('the text', first(await once(resources(remote).read(uri))), text);
  }),
  feature('templates', async ({ remote, fresh, write }) => {
    const text = fresh();
    const uri = await write(`templates/${fresh()}/file.txt`, text);
    const all = await once(resources(remote).templates());
    const wanted = all.map((info) => uriTemplate(info.uriTemplate)).find((each) => each.match(uri));
    if (wanted === undefined) throw new Error(`none of ${all.length} templates matches ${uri}`);
    const expanded = wanted.expand(wanted.match(uri) ?? {});
    same('the text', first(await once(resources(remote).read(expanded))), text);
  }),
  feature(
    'watch',
    async ({ remote, fresh, write }) => {
      const [name, text] = [`watch-${fresh()}.txt`, fresh()];
      const uri = await write(name, 'before');
      const watched = resources(remote).watch(uri);
      same('live', watched.isLive, true);
      same('the text', await firstValueFrom(brought(watched, text, () => write(name, text))), text);
    },
    carriesNotices,
  ),
  feature(
    'lists',
    async ({ remote, fresh, write }) => {
      const name = `lists-${fresh()}.txt`;
      // The list of a server without resources stays empty for ever.
      same('that there are resources', 'resources' in remote.capabilities, true);
      const found = resources(remote).list$.pipe(
        concatMap(async (list, at) => {
          if (at === 0) await write(name, '');
          return list.find((info) => info.name === name);
        }),
        filter((info) => info !== undefined),
      );
      same('the new name', (await firstValueFrom(found)).name, name);
    },
    carriesNotices,
  ),
];

/** Waits for a text; what brings it is done once the first one was seen. */
function brought(
  values: Observable<readonly ResourceContents[]>,
  wanted: string,
  change: () => Promise<unknown>,
): Observable<string> {
  return values.pipe(
    map(first),
    concatMap(async (text, at) => {
      if (at === 0) await change();
      return text;
    }),
    filter((text) => text === wanted),
  );
}

function first([contents]: readonly ResourceContents[]): string {
  if (contents === undefined) throw new Error('nothing was read');
  return readText(contents);
}
