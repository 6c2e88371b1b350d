import { expect, it } from 'vitest';
import { PreparedResult } from '../../src/contract/offer.js';
import { defineServer } from '../../src/index.js';
import { joined } from '../rig/raw-client.js';
import { offering } from '../rig/revisions.js';

const signature = 'io.modelcontextprotocol/serverInfo';

it('a prepared result of an offer that servers share names the server that gives it', async () => {
  const list = new PreparedResult({ tools: [{ name: 't', inputSchema: { type: 'object' } }] });
  const offer = offering({ 'tools/list': () => list }, { tools: {} });
  const clients = ['a', 'b'].map((name) =>
    joined(defineServer({ info: { name, version: '1' }, offers: [offer] })),
  );
  const named: unknown[] = [];
  for (const id of [1, 2])
    for (const client of clients) {
      const { result } = await client.modern(id, 'tools/list');
      expect(result?.['tools']).toEqual(list.value['tools']);
      named.push((result?.['_meta'] as Record<string, { name?: string }>)[signature]?.name);
    }
  expect(named).toEqual(['a', 'b', 'a', 'b']);
});

it('its text is made once per server', async () => {
  let made = 0;
  const tool = { name: 't', toJSON: () => ((made += 1), { name: 't', inputSchema: { type: 'object' } }) };
  const list = new PreparedResult({ tools: [tool] });
  const client = joined(
    defineServer({
      info: { name: 'a', version: '1' },
      offers: [offering({ 'tools/list': () => list }, { tools: {} })],
    }),
  );
  for (const id of [1, 2, 3]) await client.modern(id, 'tools/list');
  expect(made).toBe(1);
});
