import { describe, expect, it, onTestFinished } from 'vitest';
import { connectedPair } from '@rxmcp/testing';
import { defineClient, defineServer, once } from 'rxmcp';
import { http } from 'rxmcp/http';
import { serveHttp } from 'rxmcp/http/node';
import { jsonSchema, validator } from 'rxmcp/json-schema';
import { memory } from 'rxmcp/memory';
import { offerPrompts, prompt, prompts } from 'rxmcp/prompts';
import { offerTools, resourceLink, text, tool, tools } from 'rxmcp/tools';
import type { Kind } from './kinds.js';
import { kinds } from './kinds.js';

const icons = [{ src: 'https://example.com/sun.png', mimeType: 'image/png', sizes: ['48x48'] }];

function offersOf({ query, forecast, count }: Kind) {
  const weather = tool(
    'weather',
    {
      title: 'Weather',
      description: 'What it will be like',
      input: query,
      output: forecast,
      annotations: { readOnlyHint: true },
      icons,
      meta: { 'example.com/cost': 1 },
    },
    ({ city, days = 1 }) => ({ degrees: Array.from({ length: days }, () => city.length) }),
  );
  const counts = tool('count', { output: count }, () => 0);
  const lies = tool('lies', { output: forecast }, () => ({ degrees: ['warm'] }) as never);
  const links = tool('links', {}, () => [resourceLink('weather://oslo', 'Oslo')]);
  const ask = prompt('ask', { arguments: query }, ({ city }) => `How is ${city}?`);
  return [offerTools([weather, counts, lies, links]), offerPrompts([ask])];
}

describe.each(kinds)('schemas of $name', (kind) => {
  const serving = (version: string) =>
    connectedPair({ server: offersOf(kind), version, link: memory(), onCleanup: onTestFinished });

  it.each(['2025-06-18', '2025-11-25', '2026-07-28'])('make tools in %s', async (version) => {
    const { remote, serverFaults } = await serving(version);
    const use = tools(remote, { validator: validator() });
    const [weather] = await once(use.list());
    expect(weather).toMatchObject({
      name: 'weather',
      title: 'Weather',
      annotations: { readOnlyHint: true },
      _meta: { 'example.com/cost': 1 },
      inputSchema: {
        type: 'object',
        properties: { city: { type: 'string', 'x-mcp-header': 'City' }, days: { type: 'integer' } },
        required: ['city'],
      },
      outputSchema: { type: 'object', properties: { degrees: { type: 'array', items: { type: 'number' } } } },
    });
    if (version >= '2025-11-25') expect(weather).toMatchObject({ icons });
    const good = await once(use.call('weather', { city: 'Oslo', days: 2 }));
    expect(good).toMatchObject({
      content: [text('{"degrees":[4,4]}')],
      structuredContent: { degrees: [4, 4] },
    });
    const counted = await once(use.call('count'));
    expect(counted.content).toEqual([text('0')]);
    expect(counted.structuredContent).toBe(version === '2026-07-28' ? 0 : undefined);
    expect(await once(use.call('links'))).toMatchObject({
      content: [{ type: 'resource_link', uri: 'weather://oslo', name: 'Oslo' }],
    });
    expect(serverFaults).toEqual([]);
  });

  it('reject arguments, and say where they are wrong', async () => {
    const { remote } = await serving('2026-07-28');
    const wrong = await once(tools(remote).call('weather', { city: 'Oslo', days: 1.5 }));
    expect(wrong).toMatchObject({ isError: true });
    expect(wrong.content[0]).toMatchObject({
      text: expect.stringMatching(/^invalid arguments for tool "weather": days/),
    });
  });

  it('row 67: send no wrong data', async () => {
    const { remote, serverFaults } = await serving('2026-07-28');
    const wrong = await once(tools(remote).call('lies'));
    expect(wrong).toMatchObject({ isError: true });
    expect(wrong).not.toHaveProperty('structuredContent');
    expect(serverFaults).toMatchObject([
      {
        code: 'HANDLER_FAILED',
        message: expect.stringContaining('"lies" returned a value that its output schema rejects'),
      },
    ]);
  });

  it('make prompts', async () => {
    const { remote } = await serving('2026-07-28');
    const [ask] = await once(prompts(remote).list());
    expect(ask?.arguments).toEqual([{ name: 'city', required: true }, { name: 'days' }]);
    expect(await once(prompts(remote).get('ask', { city: 'Oslo' }))).toMatchObject({
      messages: [{ role: 'user', content: text('How is Oslo?') }],
    });
  });

  it('name arguments that are repeated in headers of a call', async () => {
    const info = { name: 'test', version: '1.0.0' };
    const listening = await serveHttp(defineServer({ info, offers: offersOf(kind) }), { port: 0 });
    onTestFinished(() => listening.close());
    const beside: (string | null)[] = [];
    const client = defineClient({ info, versions: ['2026-07-28'] });
    const remote = await client.connect(
      http(listening.url, {
        fetch: (url, init) => {
          const headers = new Headers(init?.headers);
          if (headers.get('mcp-method') === 'tools/call') beside.push(headers.get('mcp-param-city'));
          return fetch(url, init);
        },
      }),
    );
    onTestFinished(() => remote.close());
    const use = tools(remote, { validator: validator() });
    await once(use.list());
    expect(await once(use.call('weather', { city: 'Oslo' }))).toMatchObject({
      structuredContent: { degrees: [4] },
    });
    expect(beside).toEqual(['Oslo']);
  });
});

it('a raw schema is sent as it was given, in its own dialect', async () => {
  const given = {
    $schema: 'http://json-schema.org/draft-07/schema#',
    type: 'object',
    properties: { a: { $ref: '#/definitions/a' } },
    definitions: { a: { type: 'string', 'x-vendor': [1, null] } },
  } as const;
  const told = tool('told', { input: jsonSchema(given) }, () => '');
  const { remote } = await connectedPair({
    server: [offerTools([told])],
    link: memory(),
    onCleanup: onTestFinished,
  });
  expect((await once(tools(remote).list()))[0]?.inputSchema).toEqual(given);
  expect(await once(tools(remote).call('told', { a: 1 }))).toMatchObject({
    content: [text('invalid arguments for tool "told": a: must be string')],
    isError: true,
  });
});
