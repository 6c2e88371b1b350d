import { expect } from 'vitest';
import { arrivals } from '../arrivals.js';
import type { Feature } from '../cells.js';
import { atDesk } from './desk.js';
import type { ClientColumn } from './official-client.js';

const readme = 'The heron stands in the shallow water. It waits. Then it strikes.\n';
const files = { 'inside/a.md': readme, 'outside.md': readme, 'inside-not/b.md': readme };

/** What the server asks of an official client, and what it logs to it. */
export const asking = {
  'answers sampling': async (column) => {
    const prompts: string[] = [];
    await atDesk(
      column,
      async ({ client }) => {
        const { structured } = await client.call('summarize_file', { filepath: 'outside.md' });
        expect(structured).toMatchObject({
          by: 'model',
          model: expect.stringContaining('official') as string,
          summary: 'A bird waits.',
        });
        expect(prompts).toEqual([expect.stringContaining(readme.trim())]);
      },
      {
        files,
        sampling: (prompt) => {
          prompts.push(prompt);
          return 'A bird waits.';
        },
      },
    );
  },

  'is served without sampling': (column) =>
    atDesk(
      column,
      async ({ client }) => {
        const { structured } = await client.call('summarize_file', { filepath: 'outside.md' });
        expect(structured).toMatchObject({ by: 'extract', why: 'the client offers no model' });
      },
      { files },
    ),

  'withdraws what the server asked': async (column) => {
    const asked = arrivals<AbortSignal>('question');
    const withdrawn = arrivals<string>('withdrawal');
    await atDesk(
      column,
      async ({ client }) => {
        const cancelling = new AbortController();
        const call = client.call('summarize_file', { filepath: 'outside.md' }, { signal: cancelling.signal });
        const failed = expect(call).rejects.toThrow();
        await asked.next(() => true);
        cancelling.abort();
        await withdrawn.next(() => true);
        await failed;
      },
      {
        files,
        sampling: (_prompt, signal) =>
          new Promise((resolve) => {
            signal.addEventListener('abort', () => {
              withdrawn.add('sampling');
              resolve('too late');
            });
            asked.add(signal);
          }),
      },
    );
  },

  'narrows with its roots': async (column) => {
    let roots: { uri: string; name?: string }[] = [];
    await atDesk(
      column,
      async ({ client, uri }) => {
        roots = [{ uri: uri('inside'), name: 'inside' }];
        const { structured } = await client.call('search_files', { query: 'heron' });
        expect(structured).toMatchObject({
          matches: [{ path: 'inside/a.md', line: 1 }],
          scope: "the client's roots: inside",
        });
        const outside = await client.call('summarize_file', { filepath: 'outside.md' });
        expect(outside).toMatchObject({ isError: true, text: expect.stringContaining('roots') as string });
      },
      { files, roots: () => roots },
    );
  },

  'fills a form': async (column) => {
    const asked: unknown[] = [];
    await atDesk(
      column,
      async ({ client }) => {
        await client.call('write_note', { title: 'pond' });
        expect(asked).toEqual([[expect.stringContaining('pond'), ['body', 'confirm']]]);
        expect(await client.read('note://pond')).toMatchObject([{ text: 'one heron\n' }]);
      },
      {
        elicitation: (...question) => {
          asked.push(question);
          return { action: 'accept', content: { body: 'one heron', confirm: true } };
        },
      },
    );
  },

  'declines a form': (column) =>
    atDesk(
      column,
      async ({ client }) => {
        expect((await client.call('write_note', { title: 'pond' })).text).toContain('decline');
        expect(await client.resources()).not.toContain('note://pond');
      },
      { elicitation: () => ({ action: 'decline' }) },
    ),

  'answers several questions of one call': async (column) => {
    const asked: string[] = [];
    await atDesk(
      column,
      async ({ client }) => {
        const { structured } = await client.call('summarize_file', { filepath: 'outside.md' });
        expect(structured).toMatchObject({ by: 'model', summary: 'Still waiting.' });
        expect(asked).toEqual(['roots', 'sampling']);
      },
      {
        files,
        roots: () => {
          asked.push('roots');
          return [{ uri: 'https://example.com/', name: 'no folder' }];
        },
        sampling: () => {
          asked.push('sampling');
          return 'Still waiting.';
        },
      },
    );
  },

  'gets log records': async (column) => {
    const records = arrivals<{ level: string; data: unknown }>('log record');
    await atDesk(
      column,
      async ({ client }) => {
        if (column.cannot['sets the log level'] === undefined) await client.setLogLevel('info');
        await client.call('search_files', { query: 'heron' }, { logLevel: 'info' });
        const record = await records.next(({ data }) => String(data).startsWith('search_files'));
        expect(record).toMatchObject({ level: 'info', logger: 'server' });
      },
      { files, log: (record) => records.add(record) },
    );
  },

  'sets the log level': async (column) => {
    const records = arrivals<{ level: string; data: unknown }>('log record');
    await atDesk(
      column,
      async ({ client }) => {
        await client.setLogLevel('error');
        await client.call('search_files', { query: 'quiet' });
        await client.setLogLevel('debug');
        await client.call('search_files', { query: 'heron' });
        await records.next(() => true);
        expect(records.all).toHaveLength(1);
        expect(records.all[0]?.data).toMatch(/3 matches/);
      },
      { files, log: (record) => records.add(record) },
    );
  },
} satisfies Record<string, Feature<ClientColumn>>;
