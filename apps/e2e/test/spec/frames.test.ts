import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { tap } from '@rxmcp/transport';
import { filter, firstValueFrom } from 'rxjs';
import type { JsonObject } from 'rxmcp';
import { defineClient, once } from 'rxmcp';
import { offerElicitation } from 'rxmcp/elicitation';
import { logging } from 'rxmcp/logging';
import { prompts } from 'rxmcp/prompts';
import { resources } from 'rxmcp/resources';
import { offerRoots } from 'rxmcp/roots';
import { offerSampling } from 'rxmcp/sampling';
import { stdio } from 'rxmcp/stdio';
import { tools } from 'rxmcp/tools';
import { afterAll, describe, expect, it } from 'vitest';
import { revisions } from '../matrix/revisions.js';
import { repository } from '../repository.js';
import type { Said } from './conversation.js';
import { checkAll } from './conversation.js';
import { frameChecker } from './schemas.js';

const folder = mkdtempSync(join(tmpdir(), 'rxmcp-frames-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
writeFileSync(join(folder, 'a.txt'), 'One line. Another line.\n');
writeFileSync(join(folder, 'b.png'), Buffer.from([137, 80, 78, 71]));
const uri = pathToFileURL(join(folder, 'a.txt')).href;

/** Everything the reference server has, asked by a client that offers everything. */
async function converse(version: string): Promise<Said[]> {
  const said: Said[] = [];
  const child = stdio({
    command: process.execPath,
    args: [join(repository, 'apps/server/dist/main.js'), '--stdio', '--root', folder],
    stderr: 'ignore',
  });
  const tapped = tap(child, (event) => {
    if (event.type !== 'sent' && event.type !== 'received') return;
    const frame = JSON.parse(JSON.stringify('message' in event ? event.message : event)) as JsonObject;
    said.push({ by: event.type === 'sent' ? 'client' : 'server', frame });
  });
  const offers = [
    offerRoots([{ uri: pathToFileURL(folder).href, name: 'all' }]),
    offerSampling(() => ({ role: 'assistant', content: { type: 'text', text: 'x' }, model: 'm' }), {
      approve: 'dangerouslyAlways',
    }),
    offerElicitation(() => ({ action: 'accept', content: { body: 'milk', confirm: true } })),
  ];
  const remote = await defineClient({
    info: { name: 'e2e', version: '1' },
    offers,
    versions: [version],
  }).connect(tapped);
  try {
    await once(logging(remote).setLevel('debug'));
    for (const tool of await once(tools(remote).list())) expect(tool.name).not.toBe('');
    await once(tools(remote).call('calculate_sum', { a: 1, b: 2 }));
    await once(tools(remote).call('calculate_sum', { a: 'x' })).catch(() => undefined);
    await firstValueFrom(
      tools(remote)
        .events('search_files', { query: 'line' })
        .pipe(filter((event) => event.type === 'result')),
    );
    await once(tools(remote).call('summarize_file', { filepath: 'a.txt' }));
    await once(tools(remote).call('write_note', { title: 'shopping' })).catch(() => undefined);
    await once(tools(remote).call('no_such_tool')).catch(() => undefined);
    for (const { uri: listed } of await once(resources(remote).list()))
      await once(resources(remote).read(listed));
    await once(resources(remote).templates());
    await once(resources(remote).read('file:///nothing/here')).catch(() => undefined);
    await watchOneChange(remote);
    for (const { name } of await once(prompts(remote).list())) {
      await once(prompts(remote).get(name, { code: 'x = 1', error: 'boom', file: 'a.txt' })).catch(
        () => undefined,
      );
    }
    const left = tools(remote)
      .call('search_files', { query: 'line' })
      .subscribe({ error: () => undefined });
    left.unsubscribe();
  } finally {
    await remote.close();
  }
  return said;
}

async function watchOneChange(remote: Parameters<typeof resources>[0]): Promise<void> {
  let seen = 0;
  await new Promise<void>((resolve, reject) => {
    const watching = resources(remote)
      .watch(uri)
      .subscribe({
        next: () => {
          seen += 1;
          if (seen === 1) writeFileSync(join(folder, 'a.txt'), `One line. Another line, ${Math.random()}.\n`);
          else {
            watching.unsubscribe();
            resolve();
          }
        },
        error: reject,
      });
  });
}

describe('every frame of a long conversation conforms to the official schema', () => {
  it.each(revisions.map(({ version }) => version))('%s', async (version) => {
    const said = await converse(version);
    const checker = frameChecker(version);
    if (checker === undefined) {
      console.log(
        `${version}: 0 of ${said.length} frames checked: RXMCP_SPEC_DIR names no folder with its schema`,
      );
      return;
    }
    const { checked, wrong } = checkAll(said, checker);
    console.log(`${version}: ${checked} of ${said.length} frames checked`);
    expect(wrong).toEqual([]);
    expect(checked).toBeGreaterThan(40);
  });

  it.each(revisions.map(({ version }) => version))('a broken frame of %s is reported', (version) => {
    const checker = frameChecker(version);
    if (checker === undefined) return;
    expect(checker.check('ListToolsResult', { tools: [{ name: 1 }] })).toMatch(/no ListToolsResult/);
    expect(checker.check('ClientRequest', { jsonrpc: '2.0', id: 1, method: 'tools/call' })).toBeDefined();
  });
});
