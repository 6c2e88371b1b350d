import { describe, expect, it } from 'vitest';
import { legacy, revisions, seen } from '../rig/revisions.js';

const icons = [{ src: 'https://a.example/i.png' }];
const _meta = { 'a.example/x': 1 };
const annotations = { audience: ['user'] };
const text = { type: 'text', text: 'hello' };
const sound = { type: 'audio', data: 'AAAA', mimeType: 'audio/wav', annotations };
const link = { type: 'resource_link', uri: 'a:b', name: 'r', title: 'T', icons, _meta, annotations };
const carried = { type: 'resource', resource: { uri: 'a:b', text: 'x', _meta }, _meta };

type Blocks = Record<string, unknown>[];
const content = async (version: string, blocks: unknown[]): Promise<Blocks> =>
  (await seen(version, 'tools/call', { content: blocks })).content as Blocks;
const messages = async (version: string, blocks: unknown[]): Promise<unknown[]> => {
  const value = { messages: blocks.map((block) => ({ role: 'user', content: block })) };
  return ((await seen(version, 'prompts/get', value)).messages as Blocks).map((message) => message.content);
};

describe.each([
  ['a tool', content],
  ['a prompt', messages],
])('content of %s', (_who, shown) => {
  it('sound is text before 2025-03-26', async () => {
    const [block] = (await shown('2024-11-05', [sound])) as Blocks;
    expect(block).toEqual({ type: 'text', text: expect.stringContaining('audio/wav'), annotations });
    for (const version of revisions.slice(1)) expect(await shown(version, [sound])).toEqual([sound]);
  });

  it('links are text before 2025-06-18, and have no icons before 2025-11-25', async () => {
    for (const version of legacy.slice(0, 2))
      expect(await shown(version, [link])).toEqual([{ type: 'text', text: 'r: a:b', annotations }]);
    const { icons: _icons, ...plain } = link;
    expect(await shown('2025-06-18', [link])).toEqual([plain]);
    for (const version of revisions.slice(3)) expect(await shown(version, [link])).toEqual([link]);
  });

  it('_meta and lastModified of blocks and of what they carry exist from 2025-06-18 on', async () => {
    const dated = { ...text, _meta, annotations: { priority: 1, lastModified: '2026-01-01' } };
    for (const version of legacy.slice(0, 2)) {
      expect(await shown(version, [dated, carried])).toEqual([
        { ...text, annotations: { priority: 1 } },
        { type: 'resource', resource: { uri: 'a:b', text: 'x' } },
      ]);
    }
    for (const version of revisions.slice(2))
      expect(await shown(version, [dated, carried])).toEqual([dated, carried]);
  });
});

describe('row 67, the data of a tool', () => {
  const call = (version: string, value: object) => seen(version, 'tools/call', value);
  const json = (data: unknown) => ({ type: 'text', text: JSON.stringify(data) });

  it.each([[null], [0], [false], [''], [[]], [[1]], ['x']])(
    '%j is data, and text up to 2025-11-25',
    async (data) => {
      const value = { content: [text], structuredContent: data };
      for (const version of legacy) {
        const result = await call(version, value);
        expect(result).toEqual({ content: [text, json(data)] });
      }
      expect(await call('2026-07-28', value)).toMatchObject(value);
    },
  );

  it('an object is data from 2025-06-18 on, and text before', async () => {
    const data = { n: 1 };
    for (const version of legacy.slice(0, 2))
      expect(await call(version, { content: [], structuredContent: data })).toEqual({
        content: [json(data)],
      });
    for (const version of revisions.slice(2))
      expect(await call(version, { content: [], structuredContent: data })).toMatchObject({
        content: [],
        structuredContent: data,
      });
  });

  it.each(['{"a":[1,2]}', '{\n  "a": [1, 2]\n}'])('is not said twice: %j', async (said) => {
    const value = { content: [text, { type: 'text', text: said }], structuredContent: { a: [1, 2] } };
    expect(await call('2024-11-05', value)).toEqual({ content: value.content });
  });

  it('needs no content, and may come with an error', async () => {
    expect(await call('2024-11-05', { structuredContent: [1], isError: true })).toEqual({
      content: [json([1])],
      isError: true,
    });
  });
});

it('a result with nothing to remove is sent as it is', async () => {
  const { project } = await import('../../src/eras/legacy/projection/project.js');
  const value = { content: [text], isError: false, _meta };
  for (const version of legacy) expect(project('tools/call', value, version)).toBe(value);
});
