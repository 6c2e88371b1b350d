import { expect } from 'vitest';
import { arrivals } from '../arrivals.js';
import type { Feature } from '../cells.js';
import { asking } from './asking.js';
import { atDesk, atSharedDesk, sharedFiles } from './desk.js';
import type { ClientColumn } from './official-client.js';

const missing = /no resource|not found|missing|unknown/i;

const plain = {
  'opens in its era': (column) =>
    atSharedDesk(column, async ({ client }) => {
      expect(client.revision).toBe(column.revision);
      expect(client.serverName).toBe('rxmcp-demo');
    }),

  'lists what there is': (column) =>
    atSharedDesk(column, async ({ client, uri }) => {
      expect(await client.tools()).toEqual(
        expect.arrayContaining([
          'search_files',
          'analyze_csv',
          'calculate_sum',
          'summarize_file',
          'write_note',
        ]),
      );
      expect(await client.resources()).toEqual(expect.arrayContaining([uri('a.md'), 'logs://recent']));
      expect(await client.templates()).toEqual(
        expect.arrayContaining(['logs://recent{?timeframe}', `${uri('')}/{+path}`]),
      );
      expect(await client.prompts()).toEqual(
        expect.arrayContaining(['git-commit', 'explain-code', 'debug-error', 'analyze-project']),
      );
    }),

  'calls tools': (column) =>
    atSharedDesk(column, async ({ client }) => {
      expect((await client.call('calculate_sum', { a: 2, b: 40 })).text).toBe('42');
      const { structured } = await client.call('analyze_csv', {
        filepath: 'figures.csv',
        operations: ['sum', 'count'],
      });
      expect(structured).toMatchObject({ rows: 3, columns: [{ column: 'n', sum: 60, count: 3 }] });
    }),

  'reports wrong calls': (column) =>
    atSharedDesk(column, async ({ client }) => {
      await expect(client.call('no_such_tool', {})).rejects.toMatchObject({ code: -32602 });
      const wrong = await client.call('calculate_sum', { a: 'two', b: 2 });
      expect(wrong).toMatchObject({ isError: true, text: expect.stringContaining('a') as string });
    }),

  'reads resources': (column) =>
    atSharedDesk(column, async ({ client, uri }) => {
      expect(await client.read(uri('a.md'))).toMatchObject([{ uri: uri('a.md'), text: sharedFiles['a.md'] }]);
      const [picture] = await client.read(uri('b.png'));
      expect(Buffer.from(picture?.blob ?? '', 'base64')).toEqual(Buffer.from(sharedFiles['b.png']));
      expect((await client.read(uri('sub'))).map((entry) => entry.uri)).toEqual([uri('sub/c.txt')]);
      await expect(client.read(uri('none.md'))).rejects.toMatchObject({
        code: column.missingCode,
        message: expect.stringMatching(missing) as string,
      });
    }),

  'subscribes to a resource': async (column) => {
    const updates = arrivals<string>('update');
    await atDesk(
      column,
      async ({ client, uri, write }) => {
        const [first, second] = [uri('first.txt'), uri('second.txt')];
        const leave = await client.watch(first);
        await client.watch(second);
        await write('first.txt', 'after');
        await updates.next((at) => at === first);
        expect(await client.read(first)).toMatchObject([{ text: 'after' }]);
        await leave();
        // A client need not wait until its server has noticed that; a response takes as long as an update that is on its way.
        await client.read(first);
        const before = updates.all.filter((at) => at === first).length;
        await write('first.txt', 'unwatched');
        await write('second.txt', 'after');
        await updates.next((at) => at === second);
        expect(updates.all.filter((at) => at === first)).toHaveLength(before);
      },
      { files: { 'first.txt': 'before', 'second.txt': 'before' }, updated: (uri) => updates.add(uri) },
    );
  },

  'receives that a list changed': async (column) => {
    const changes = arrivals<number>('notice');
    await atDesk(
      column,
      async ({ client, uri, write }) => {
        expect(await client.resources()).not.toContain(uri('new.txt'));
        await write('new.txt', 'new');
        await changes.next(() => true);
        expect(await client.resources()).toContain(uri('new.txt'));
      },
      { resourcesChanged: () => changes.add(1) },
    );
  },

  'gets a prompt': (column) =>
    atSharedDesk(column, async ({ client }) => {
      const code = 'const heron = waits(forever);';
      const messages = await client.prompt('explain-code', { code, language: 'TypeScript' });
      expect(messages[0]).toMatchObject({ role: 'user', text: expect.stringContaining(code) as string });
      const talk = await client.prompt('debug-error', { error: 'TypeError: heron' });
      expect(talk.map(({ role }) => role)).toEqual(expect.arrayContaining(['user', 'assistant']));
      await expect(client.prompt('explain-code', {})).rejects.toMatchObject({ code: -32602 });
    }),

  'sees progress': (column) =>
    atDesk(
      column,
      async ({ client }) => {
        const seen: [number, number | undefined][] = [];
        // The official clients drop progress that they read in one piece with its result.
        for (let call = 0; call < 10 && seen.length === 0; call += 1) {
          const { structured } = await client.call(
            'search_files',
            { query: 'heron' },
            { progress: (...at) => seen.push(at) },
          );
          expect(structured).toMatchObject({ filesSearched: 20 });
        }
        expect(seen.length).toBeGreaterThan(0);
        expect(seen.every(([done], at) => at === 0 || done > (seen[at - 1]?.[0] ?? 0))).toBe(true);
        expect(seen.at(-1)?.[1]).toBe(20);
      },
      { files: many(20) },
    ),

  'cancels a call': (column) =>
    atDesk(
      column,
      async ({ client }) => {
        const cancelling = new AbortController();
        const cancelled = client.call(
          'search_files',
          { query: 'first' },
          { signal: cancelling.signal, progress: () => cancelling.abort() },
        );
        await expect(cancelled).rejects.toThrow();
        // Had the first search continued, it would have ended before this one and left its line in the log.
        await client.call('search_files', { query: 'second' });
        const [log] = await client.read('logs://recent');
        expect(log?.text?.match(/search_files:/g)).toHaveLength(1);
      },
      { files: many(800) },
    ),
} satisfies Record<string, Feature<ClientColumn>>;

/** Every line of the table. */
export const clientFeatures = { ...plain, ...asking };

function many(count: number): Record<string, string> {
  return Object.fromEntries(Array.from({ length: count }, (_, at) => [`pond/${at}.txt`, `heron ${at}\n`]));
}
