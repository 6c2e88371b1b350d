import { defineServer } from 'rxmcp';
import { audio, offerPrompts, prompt, user } from 'rxmcp/prompts';
import { offerTools, tool } from 'rxmcp/tools';
import { describe, expect } from 'vitest';
import { clause } from './stage/clause.js';
import { desk } from './stage/desk.js';
import type { Frame } from './stage/frame.js';
import { at, legacy, metaOf, modern } from './stage/frame.js';
import type { RawClient } from './stage/raw-client.js';
import { rawClient } from './stage/raw-client.js';

type Ask = (method: string, params?: object) => Promise<Frame>;

async function opened(version: string, principal?: string): Promise<{ raw: RawClient; ask: Ask }> {
  const raw = await rawClient(desk().server, principal);
  if (version === modern) return { raw, ask: (method, params) => raw.modern(method, params) };
  await raw.shake(version);
  return { raw, ask: (method, params) => raw.call(method, params) };
}

async function walked(ask: Ask, method: string, member: string): Promise<Frame[]> {
  const pages: Frame[] = [];
  let cursor: unknown;
  do {
    const page = await ask(method, cursor === undefined ? {} : { cursor });
    expect(page.result?.[member], method).toBeInstanceOf(Array);
    pages.push(page);
    cursor = page.result?.['nextCursor'];
  } while (cursor !== undefined);
  return pages;
}

const lists: [string, string][] = [
  ['tools/list', 'tools'],
  ['prompts/list', 'prompts'],
  ['resources/list', 'resources'],
  ['resources/templates/list', 'resourceTemplates'],
];

describe.each([modern, ...legacy])('lists of %s', (version) => {
  clause(
    [
      '26/tools/5',
      '26/prompts/3',
      '26/resources/3',
      '26/tools/7',
      '26/prompts/4',
      '26/pagination/3',
      '26/tools/16',
    ],
    'are complete over their pages, each entry once, the same each time and on each connection',
    async () => {
      for (const [method, member] of lists) {
        const names: string[] = [];
        for (let times = 0; times < 2; times += 1) {
          const { ask } = await opened(version);
          await ask('tools/call', { name: 'add', arguments: { a: 1, b: 2 } });
          const entries = (await walked(ask, method, member)).flatMap(
            ({ result }) => result?.[member] as object[],
          );
          const called = entries.map((entry) => String(at(entry, 'uri') ?? at(entry, 'name')));
          expect(called, method).toEqual([...new Set(called)]);
          names.push(called.join());
        }
        expect(names[0], method).toBe(names[1]);
        expect(names[0], method).not.toBe('');
      }
    },
  );

  clause(['26/pagination/7', '26/pagination/3'], 'reject an invalid cursor, and continue', async () => {
    const { ask } = await opened(version);
    for (const [method] of lists) {
      for (const cursor of ['none', '', 7, null]) {
        expect((await ask(method, { cursor })).error?.code, `${method} ${String(cursor)}`).toBe(-32602);
      }
      expect((await ask(method)).result).toBeDefined();
    }
  });
});

describe('lists and reads of the modern era', () => {
  clause(
    ['26/caching/1', '26/caching/8'],
    'say how long they stay valid, and for which callers',
    async () => {
      const { ask } = await opened(modern);
      const asked: [string, object][] = [
        ['server/discover', {}],
        ...lists.map(([method]): [string, object] => [method, {}]),
        ['resources/read', { uri: 'test://text' }],
      ];
      for (const [method, params] of asked) {
        const { result } = await ask(method, params);
        expect(result?.['ttlMs'], method).toBeTypeOf('number');
        expect(result?.['ttlMs'] as number, method).toBeGreaterThanOrEqual(0);
        expect(['public', 'private'], method).toContain(result?.['cacheScope']);
      }
      expect((await ask('tools/call', { name: 'add', arguments: { a: 1, b: 2 } })).result).not.toHaveProperty(
        'ttlMs',
      );
    },
  );

  clause(['26/caching/16'], 'have one scope over all pages', async () => {
    const { ask } = await opened(modern);
    const scopes = (await walked(ask, 'tools/list', 'tools')).map(({ result }) => result?.['cacheScope']);
    expect(scopes.length).toBeGreaterThan(1);
    expect(new Set(scopes).size).toBe(1);
  });

  clause(['26/mrtr/4', '26/caching/3'], 'that asked have no cache lifetime', async () => {
    const raw = await rawClient(desk().server);
    const { result } = await raw.modern('resources/read', { uri: 'test://asking' }, { roots: {} });
    expect(result?.['resultType']).toBe('input_required');
    expect(result).not.toHaveProperty('ttlMs');
  });
});

describe.each([modern, ...legacy])('tools of %s', (version) => {
  clause(['26/tools/10'], 'have an object as the schema of their arguments', async () => {
    const { ask } = await opened(version);
    for (const { result } of await walked(ask, 'tools/list', 'tools')) {
      for (const entry of result?.['tools'] as object[]) {
        expect(at(entry, 'inputSchema', 'type')).toBe('object');
      }
    }
  });

  clause(['26/tools/13'], 'are distinguished by the case of their names', async () => {
    const both = ['Echo', 'echo'].map((name) => tool(name, {}, () => name));
    const raw = await rawClient(
      defineServer({ info: { name: 's', version: '1' }, offers: [offerTools(both)] }),
    );
    if (version !== modern) await raw.shake(version);
    const meta = version === modern ? { _meta: metaOf() } : {};
    for (const name of ['Echo', 'echo']) {
      const response = await raw.call('tools/call', { name, ...meta });
      expect(at(response, 'result', 'content', 0, 'text')).toBe(name);
    }
    expect((await raw.call('tools/call', { name: 'ECHO', ...meta })).error?.code).toBe(-32602);
  });

  clause(['26/tools/35'], 'run with valid arguments only', async () => {
    const { ask } = await opened(version);
    for (const given of [{}, { a: 1 }, { a: '1', b: 2 }, { a: 1, b: null }]) {
      const { result, error } = await ask('tools/call', { name: 'add', arguments: given });
      if (version >= '2025-11-25') expect(result?.['isError']).toBe(true);
      else expect(error?.code).toBe(-32602);
    }
  });

  clause(
    ['26/tools/32', '26/tools/31'],
    'give structured content as they declare it, and as text too',
    async () => {
      const { ask } = await opened(version);
      const { result } = await ask('tools/call', { name: 'sum', arguments: { of: [1, 2] } });
      expect(JSON.parse(String(at(result, 'content', 0, 'text')))).toEqual({ sum: 3 });
      if (version >= '2025-06-18') expect(result?.['structuredContent']).toEqual({ sum: 3 });
      const liar = await ask('tools/call', { name: 'liar' });
      expect(liar.result?.['structuredContent']).toBeUndefined();
      expect(liar.error !== undefined || liar.result?.['isError'] === true).toBe(true);
    },
  );
});

describe.each([modern, ...legacy])('resources of %s', (version) => {
  clause(
    ['26/resources/9', '26/resources/12', '11/resources/6'],
    'that are not there are an error, and never empty',
    async () => {
      const { ask } = await opened(version);
      for (const uri of ['test://none', 'test://gone', 'file:///b.txt']) {
        const { error, result } = await ask('resources/read', { uri });
        expect(result, uri).toBeUndefined();
        expect(error?.code, uri).toBe(version === modern ? -32602 : -32002);
      }
    },
  );

  clause(['26/resources/10'], 'that fail inside are -32603, and show nothing of the error', async () => {
    const { ask } = await opened(version);
    const { error } = await ask('resources/read', { uri: 'test://broken' });
    expect(error?.code).toBe(-32603);
    expect(JSON.stringify(error)).not.toContain('secret');
  });

  clause(['26/resources/13'], 'are requested by uris only', async () => {
    const { ask } = await opened(version);
    for (const uri of [undefined, 7, '', 'no uri', {}]) {
      expect([-32602, -32002]).toContain((await ask('resources/read', { uri })).error?.code);
    }
  });

  clause(
    ['26/resources/15', '26/prompts/8'],
    'of bytes come as base64, with their uri and type',
    async () => {
      const { ask } = await opened(version);
      const { result } = await ask('resources/read', { uri: 'test://bytes' });
      expect(result?.['contents']).toEqual([
        { uri: 'test://bytes', mimeType: 'image/png', blob: 'iVBORw==' },
      ]);
    },
  );

  clause(['26/resources/17'], 'reject a path that leaves the folder', async () => {
    const { ask } = await opened(version);
    expect((await ask('resources/read', { uri: 'file:///a.txt' })).result).toBeDefined();
    // Dots that are not hidden are taken out before anything is looked up, and so stay within the root.
    for (const uri of ['file:///%2e%2e%2fa.txt', 'file:///..%2Fa.txt', 'file:///x%2f..%2fa.txt']) {
      expect((await ask('resources/read', { uri })).error, uri).toBeDefined();
    }
  });
});

describe.each([modern, ...legacy])('prompts of %s', (version) => {
  clause(
    ['26/prompts/9', '26/prompts/10', '26/prompts/13'],
    'reject invalid names and arguments',
    async () => {
      const { ask } = await opened(version);
      const asked: [object, number][] = [
        [{ name: 'none' }, -32602],
        [{ name: 7 }, -32602],
        [{ name: 'brief' }, -32602],
        [{ name: 'brief', arguments: { topic: 7 } }, -32602],
        [{ name: 'broken' }, -32603],
      ];
      for (const [params, code] of asked) {
        const { error } = await ask('prompts/get', params);
        expect(error?.code, JSON.stringify(params)).toBe(code);
        expect(JSON.stringify(error)).not.toContain('secret');
      }
    },
  );

  clause(['26/prompts/6'], 'carry images as base64 with their type', async () => {
    const { ask } = await opened(version);
    const { result } = await ask('prompts/get', { name: 'picture' });
    expect(at(result, 'messages', 0, 'content')).toEqual({
      type: 'image',
      data: 'iVBORw==',
      mimeType: 'image/png',
    });
  });

  clause(['26/prompts/7'], 'carry sound as base64 with its type, where there is such', async () => {
    const noise = prompt('noise', {}, () => user(audio(new Uint8Array([1, 2, 3]), 'audio/wav')));
    const offers = [offerPrompts([noise])];
    const raw = await rawClient(defineServer({ info: { name: 's', version: '1' }, offers }));
    if (version !== modern) await raw.shake(version);
    const meta = version === modern ? { _meta: metaOf() } : {};
    const { result } = await raw.call('prompts/get', { name: 'noise', ...meta });
    const content = at(result, 'messages', 0, 'content');
    if (version === '2024-11-05') expect(content).toMatchObject({ type: 'text' });
    else expect(content).toEqual({ type: 'audio', data: 'AQID', mimeType: 'audio/wav' });
  });
});
