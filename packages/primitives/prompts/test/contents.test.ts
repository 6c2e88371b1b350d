import { BehaviorSubject } from 'rxjs';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { Offer } from '@rxmcp/core';
import { once } from '@rxmcp/core';
import { memory } from '@rxmcp/memory';
import { connectedPair } from '@rxmcp/testing';
import {
  assistant,
  audio,
  embeddedResource,
  image,
  offerPrompts,
  prompt,
  type Prompt,
  prompts,
  resourceLink,
  text,
  user,
} from '../src/index.js';

/** Every published revision. */
const versions = ['2024-11-05', '2025-03-26', '2025-06-18', '2025-11-25', '2026-07-28'] as const;

const serving = (server: readonly Offer[], version: string) =>
  connectedPair({ server, version, link: memory(), onCleanup: onTestFinished });

const everything = prompt(
  'everything',
  {
    title: 'Everything',
    description: 'One of each.',
    icons: [{ src: 'https://example.com/i.png', mimeType: 'image/png', sizes: ['48x48'], theme: 'dark' }],
    arguments: [{ name: 'topic', title: 'Topic', description: 'Of what.', required: true }],
    meta: { 'example.com/version': '2' },
  },
  ({ topic }) => ({
    description: `About ${topic}.`,
    messages: [
      user(text(topic, { annotations: { audience: ['user'], priority: 1 } })),
      user(image(new Uint8Array([1]), 'image/png')),
      assistant(audio(new Uint8Array([2]), 'audio/wav')),
      user(embeddedResource({ uri: 'note:///a', mimeType: 'text/plain', text: 'A note.' })),
      user(embeddedResource({ uri: 'note:///b', blob: 'AA==' })),
      assistant(resourceLink('note:///c', 'c', { title: 'C', description: 'Another.', size: 3 })),
    ],
    _meta: { 'example.com/cost': 1 },
  }),
);

describe.each(versions)('a prompt with everything in %s', (version) => {
  it('is listed and filled in with members that the revision knows', async () => {
    const { remote } = await serving([offerPrompts([everything])], version);
    const [info] = await once(prompts(remote).list());
    expect(info).toMatchObject({
      name: 'everything',
      description: 'One of each.',
      arguments: [{ name: 'topic', description: 'Of what.', required: true }],
    });
    expect(info?.title).toBe(version < '2025-06-18' ? undefined : 'Everything');
    expect(info?.arguments?.[0]?.title).toBe(version < '2025-06-18' ? undefined : 'Topic');
    expect(info?.icons).toEqual(version < '2025-11-25' ? undefined : everything.info.icons);
    const { description, messages } = await once(prompts(remote).get('everything', { topic: 'tea' }));
    expect(description).toBe('About tea.');
    expect(messages.map(({ role, content }) => `${role} ${content.type}`)).toEqual([
      'user text',
      'user image',
      version < '2025-03-26' ? 'assistant text' : 'assistant audio',
      'user resource',
      'user resource',
      version < '2025-06-18' ? 'assistant text' : 'assistant resource_link',
    ]);
    expect(messages[3]?.content).toEqual({
      type: 'resource',
      resource: { uri: 'note:///a', mimeType: 'text/plain', text: 'A note.' },
    });
  });

  it('is found on whatever page of the list', async () => {
    const all = Array.from({ length: 7 }, (_, at) => prompt(`p${at}`, {}, () => ''));
    const source = new BehaviorSubject<readonly Prompt[]>(all);
    const { remote } = await serving([offerPrompts(source, { pageSize: 3 })], version);
    const { list } = prompts(remote);
    expect((await once(list())).map(({ name }) => name)).toEqual(all.map(({ name }) => name));
    const page = (cursor: unknown) => once(remote.request('prompts/list', { cursor }));
    const { nextCursor } = await once(remote.request('prompts/list'));
    expect(await page(nextCursor)).toMatchObject({
      prompts: [{ name: 'p3' }, { name: 'p4' }, { name: 'p5' }],
    });
    for (const forged of ['', 'p2', 'after:', `${String(nextCursor)} `, 0, null, {}])
      await expect(page(forged), String(forged)).rejects.toMatchObject({ code: -32602 });
    // The entry of the cursor was removed; what came next is still there.
    source.next(all.filter(({ name }) => name !== 'p2'));
    expect(await page(nextCursor)).toMatchObject({
      prompts: [{ name: 'p3' }, { name: 'p4' }, { name: 'p5' }],
    });
    expect(await once(list())).toHaveLength(6);
    source.next(all.filter(({ name }) => name !== 'p2' && name !== 'p3'));
    await expect(page(nextCursor)).rejects.toMatchObject({ code: -32602 });
  });
});
