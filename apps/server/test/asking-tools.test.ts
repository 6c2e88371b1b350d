import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type JsonObject, type Offer, once, type Remote } from 'rxmcp';
import { offerElicitation } from 'rxmcp/elicitation';
import { resources } from 'rxmcp/resources';
import { offerRoots } from 'rxmcp/roots';
import { offerSampling } from 'rxmcp/sampling';
import { type ToolResult, tools } from 'rxmcp/tools';
import { filter, firstValueFrom } from 'rxjs';
import { pathToFileURL } from 'node:url';
import { describe, expect, it } from 'vitest';
import { desk, revisions, tempFolder } from './desk.js';

const textOf = ({ content }: ToolResult): string =>
  content.map((block) => ('text' in block ? block.text : '')).join('\n');

async function story(): Promise<string> {
  const root = await tempFolder();
  await writeFile(join(root, 'story.txt'), 'Once there was a fox. The fox had a den. The end.\n');
  return root;
}

describe.each(revisions)('summarize_file in %s', (version) => {
  it('asks the model of the client, after its roots', async () => {
    const root = await story();
    const asked: string[] = [];
    const offers = [
      offerRoots([{ uri: pathToFileURL(root).href }]),
      offerSampling(
        ({ messages }) => {
          asked.push(JSON.stringify(messages));
          return { role: 'assistant', model: 'fox-1', content: { type: 'text', text: 'A fox lives.' } };
        },
        { approve: () => ({ action: 'approve' }) },
      ),
    ];
    const remote = await desk({ root }, { version, offers });
    const result = await once(tools(remote).call('summarize_file', { filepath: 'story.txt' }));
    expect(textOf(result)).toContain('Summary by fox-1');
    expect(textOf(result)).toContain('A fox lives.');
    expect(asked).toEqual([expect.stringContaining('The fox had a den.')]);
  });

  it('falls back to an extract and reports it', async () => {
    const remote = await desk({ root: await story() }, { version });
    const result = await once(tools(remote).call('summarize_file', { filepath: 'story.txt' }));
    expect(result.isError ?? false).toBe(false);
    expect(textOf(result)).toContain('An extract, no summary (the client offers no model)');
    expect(textOf(result)).toContain('fox');
  });

  it('rejects a missing file with a message for the model', async () => {
    const remote = await desk({ root: await story() }, { version });
    const result = await once(tools(remote).call('summarize_file', { filepath: 'nothing.txt' }));
    expect(result.isError).toBe(true);
    expect(textOf(result)).toContain('"nothing.txt"');
  });
});

// Forms came with 2025-06-18.
describe.each(revisions.filter((version) => version > '2025-06-01'))('write_note in %s', (version) => {
  it('asks the user and adds to a note that can be followed', async () => {
    const bodies = ['milk', 'bread'];
    const offers = [
      offerElicitation(() => ({ action: 'accept', content: { body: bodies.shift() ?? '', confirm: true } })),
    ];
    const remote = await desk({ root: await story() }, { version, offers });
    const listed = firstValueFrom(
      resources(remote).list$.pipe(filter((list) => list.some(({ uri }) => uri === 'note://shopping'))),
    );
    await once(tools(remote).call('write_note', { title: 'shopping' }));
    await listed;
    const both = firstValueFrom(
      resources(remote)
        .watch('note://shopping')
        .pipe(filter(([note]) => note !== undefined && 'text' in note && note.text === 'milk\nbread\n')),
    );
    await once(tools(remote).call('write_note', { title: 'shopping' }));
    await both;
  });

  it.each([
    [{ action: 'decline' as const }, 'the user chose decline'],
    [{ action: 'accept' as const, content: { body: 'x', confirm: false } }, 'did not confirm'],
  ])('writes nothing after %j', async (answer, said) => {
    const remote = await desk({ root: await story() }, { version, offers: [offerElicitation(() => answer)] });
    expect(textOf(await once(tools(remote).call('write_note', { title: 'a' })))).toContain(said);
    const list = await once(resources(remote).list());
    expect(list.some(({ uri }) => uri.startsWith('note:'))).toBe(false);
  });

  it('is refused for a client without forms', async () => {
    const remote = await desk({ root: await story() }, { version });
    await expect(once(tools(remote).call('write_note', { title: 'a' }))).rejects.toThrow(/elicitation/);
  });
});

describe('write_note in 2026-07-28, when its last request comes again', () => {
  const bodies = (): Offer => {
    let count = 0;
    return offerElicitation(() => ({
      action: 'accept',
      content: { body: `text ${(count += 1)}`, confirm: true },
    }));
  };
  const note = async (remote: Remote): Promise<unknown> =>
    (await once(resources(remote).read('note://a'))).map((content) => 'text' in content && content.text);

  it('writes once, and returns the same result', async () => {
    const remote = await desk({ root: await story() }, { offers: [bodies()] });
    const sent: JsonObject[] = [];
    remote.wire$.subscribe(({ direction, message }) => {
      const { method, params = {} } = message as { method?: string; params?: JsonObject };
      if (direction === 'out' && method === 'tools/call') sent.push(params);
    });
    const first = await once(tools(remote).call('write_note', { title: 'a' }));
    const { _meta, ...last } = sent.at(-1) ?? {};
    expect(Object.keys(last)).toEqual(expect.arrayContaining(['requestState', 'inputResponses']));
    const again = await Promise.all([1, 2, 3].map(() => once(remote.request('tools/call', last))));
    for (const result of again) expect(result).toMatchObject({ content: first.content });
    expect(await note(remote)).toEqual(['text 1\n']);
  });

  it('a second call of the same title is a second text', async () => {
    const remote = await desk({ root: await story() }, { offers: [bodies()] });
    await once(tools(remote).call('write_note', { title: 'a' }));
    await once(tools(remote).call('write_note', { title: 'a' }));
    expect(await note(remote)).toEqual(['text 1\ntext 2\n']);
  });
});
