import { describe, expect, it } from 'vitest';
import { PreparedResult } from '../../src/contract/offer.js';
import type { Revision } from '../rig/revisions.js';
import { legacy, revisions, seen, speaking } from '../rig/revisions.js';

const icons = [{ src: 'https://a.example/i.png' }];
const _meta = { 'a.example/x': 1 };
const annotations = { audience: ['user'], priority: 1, lastModified: '2026-01-01T00:00:00Z' };
const own = { 'x-own': true };

/** A thing with all members that it has in any revision, and which of them each revision knows. */
const things: Record<string, [method: string, path: string, thing: object, Record<Revision, string>]> = {
  tool: [
    'tools/list',
    'tools',
    {
      name: 't',
      description: 'd',
      inputSchema: { type: 'object' },
      outputSchema: { type: 'object' },
      annotations: { readOnlyHint: true },
      title: 'T',
      icons,
      execution: { taskSupport: 'optional' },
      _meta,
      ...own,
    },
    {
      '2024-11-05': 'description inputSchema name x-own',
      '2025-03-26': 'annotations description inputSchema name x-own',
      '2025-06-18': '_meta annotations description inputSchema name outputSchema title x-own',
      '2025-11-25': '_meta annotations description execution icons inputSchema name outputSchema title x-own',
      '2026-07-28': '_meta annotations description icons inputSchema name outputSchema title x-own',
    },
  ],
  resource: [
    'resources/list',
    'resources',
    { uri: 'a:b', name: 'r', mimeType: 'a/b', size: 1, annotations, title: 'T', icons, _meta, ...own },
    {
      '2024-11-05': 'annotations mimeType name size uri x-own',
      '2025-03-26': 'annotations mimeType name size uri x-own',
      '2025-06-18': '_meta annotations mimeType name size title uri x-own',
      '2025-11-25': '_meta annotations icons mimeType name size title uri x-own',
      '2026-07-28': '_meta annotations icons mimeType name size title uri x-own',
    },
  ],
  template: [
    'resources/templates/list',
    'resourceTemplates',
    { uriTemplate: 'a:{b}', name: 'r', annotations, title: 'T', icons, _meta },
    {
      '2024-11-05': 'annotations name uriTemplate',
      '2025-03-26': 'annotations name uriTemplate',
      '2025-06-18': '_meta annotations name title uriTemplate',
      '2025-11-25': '_meta annotations icons name title uriTemplate',
      '2026-07-28': '_meta annotations icons name title uriTemplate',
    },
  ],
  contents: [
    'resources/read',
    'contents',
    { uri: 'a:b', text: 'x', mimeType: 'a/b', _meta },
    {
      '2024-11-05': 'mimeType text uri',
      '2025-03-26': 'mimeType text uri',
      '2025-06-18': '_meta mimeType text uri',
      '2025-11-25': '_meta mimeType text uri',
      '2026-07-28': '_meta mimeType text uri',
    },
  ],
  prompt: [
    'prompts/list',
    'prompts',
    {
      name: 'p',
      description: 'd',
      arguments: [{ name: 'a', title: 'A', required: true }],
      title: 'T',
      icons,
      _meta,
    },
    {
      '2024-11-05': 'arguments description name',
      '2025-03-26': 'arguments description name',
      '2025-06-18': '_meta arguments description name title',
      '2025-11-25': '_meta arguments description icons name title',
      '2026-07-28': '_meta arguments description icons name title',
    },
  ],
};

const first = (result: Record<string, unknown>, path: string) =>
  (result[path] as Record<string, unknown>[])[0] as Record<string, Record<string, unknown>>;
const names = (thing: object): string => Object.keys(thing).sort().join(' ');
const rows = Object.entries(things).flatMap(([kind, [method, path, thing, known]]) =>
  revisions.map((version) => ({ kind, version, method, path, thing, members: known[version] })),
);

describe('members of listed and read entries', () => {
  it.each(rows)('a $kind of $version: $members', async ({ version, method, path, thing, members }) => {
    const before = JSON.stringify(thing);
    expect(names(first(await seen(version, method, { [path]: [thing] }), path))).toBe(members);
    expect(names(first(await seen(version, method, new PreparedResult({ [path]: [thing] })), path))).toBe(
      members,
    );
    expect(JSON.stringify(thing)).toBe(before);
  });

  it.each(revisions)('lastModified and titles of arguments exist from 2025-06-18 on: %s', async (version) => {
    const [, , resource] = things.resource as (typeof things)[string];
    const [, , prompt] = things.prompt as (typeof things)[string];
    const listed = first(await seen(version, 'resources/list', { resources: [resource] }), 'resources');
    const told = first(await seen(version, 'prompts/list', { prompts: [prompt] }), 'prompts');
    const later = version >= '2025-06-18';
    expect(listed.annotations).toEqual(later ? annotations : { audience: ['user'], priority: 1 });
    expect(told.arguments).toEqual([{ name: 'a', required: true, ...(later ? { title: 'A' } : {}) }]);
  });

  it.each([
    [{ annotations: { readOnlyHint: true } }, { title: 'T', readOnlyHint: true }],
    [{ annotations: { title: 'Own' } }, { title: 'Own' }],
    [{}, { title: 'T' }],
  ])('2025-03-26 receives a title among the annotations: %j', async (more, told) => {
    const tools = [{ name: 't', title: 'T', inputSchema: { type: 'object' }, ...more }];
    const entry = first(await seen('2025-03-26', 'tools/list', { tools }), 'tools');
    expect(entry).toEqual({ name: 't', inputSchema: { type: 'object' }, annotations: told });
  });

  it.each(revisions)('an output schema that describes no object: %s', async (version) => {
    for (const outputSchema of [
      { type: 'array' },
      { anyOf: [{ type: 'object' }] },
      { type: ['object', 'null'] },
    ]) {
      const tools = [{ name: 't', inputSchema: { type: 'object' }, outputSchema }];
      const entry = first(await seen(version, 'tools/list', { tools }), 'tools');
      expect('outputSchema' in entry).toBe(version === '2026-07-28');
    }
  });

  it.each(revisions)('properties that are boolean schemas: %s', async (version) => {
    const inputSchema = { type: 'object', properties: { any: true, none: false, text: { type: 'string' } } };
    const entry = first(await seen(version, 'tools/list', { tools: [{ name: 't', inputSchema }] }), 'tools');
    const long = { any: {}, none: { not: {} }, text: { type: 'string' } };
    const { properties } = entry.inputSchema as Record<string, unknown>;
    expect(properties).toEqual(version === '2026-07-28' ? inputSchema.properties : long);
  });
});

describe('members of results', () => {
  it.each(legacy)('%s receives neither cache hints nor a type', async (version) => {
    const value = { tools: [], ttlMs: 5, cacheScope: 'public', resultType: 'complete', nextCursor: 'n' };
    expect(await seen(version, 'tools/list', value)).toEqual({ tools: [], nextCursor: 'n' });
  });

  it.each(revisions)('members of custom methods stay, whatever their names are: %s', async (version) => {
    const value = {
      ttlMs: 5,
      title: 'T',
      icons,
      structuredContent: [1],
      content: [{ type: 'resource_link' }],
    };
    expect(await seen(version, 'x/own', value)).toMatchObject(value);
  });

  it.each(revisions)('a value that is neither a list nor an object passes unchanged: %s', async (version) => {
    for (const value of [
      { tools: 'x' },
      { tools: [null, 1, []] },
      { tools: [{ inputSchema: 7, description: 1 }] },
    ])
      expect(await seen(version, 'tools/list', value)).toMatchObject(value);
    for (const value of [{ content: 'x' }, { content: [null, 1, 'y'] }])
      expect(await seen(version, 'tools/call', value)).toMatchObject(value);
  });

  it('members named __proto__ stay data', async () => {
    const tool = JSON.parse('{"name":"t","title":"T","inputSchema":{},"__proto__":{"polluted":1}}') as object;
    const { ask } = await speaking('2024-11-05', { 'tools/list': () => ({ tools: [tool] }) });
    expect(JSON.stringify((await ask('tools/list')).result)).toContain('"__proto__":{"polluted":1}');
    expect(({} as { polluted?: number }).polluted).toBeUndefined();
  });
});
