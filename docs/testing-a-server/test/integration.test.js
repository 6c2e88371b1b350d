import assert from 'node:assert/strict';
import { once as event } from 'node:events';
import { createServer } from 'node:http';
import { test } from 'node:test';
import { once } from 'rxmcp';
import { tools } from 'rxmcp/tools';
import { shop } from '../src/shop.js';
import { warehouse } from '../src/warehouse.js';
import { connected, transports } from './connected.js';

/** A warehouse that listens. Point `WAREHOUSE_URL` at your own to test against that. */
async function realStock(t) {
  const given = process.env.WAREHOUSE_URL;
  if (given !== undefined) return warehouse(given);
  const server = createServer((_request, response) => response.end('{"pieces":3}'));
  server.listen(0, '127.0.0.1');
  await event(server, 'listening');
  t.after(() => server.close());
  return warehouse(`http://127.0.0.1:${server.address().port}/`);
}

const dependencies = { 'the real warehouse': realStock, 'a stand-in': async () => async () => 3 };

for (const over of transports) {
  for (const [name, stock] of Object.entries(dependencies)) {
    test(`orders over ${over}, with ${name}`, async (t) => {
      const remote = await connected(t, over, shop({ stockOf: await stock(t) }));
      const order = (quantity) => once(tools(remote).call('order', { item: 'apple', quantity }));
      assert.equal((await order(3)).content[0].text, 'ordered for 90 cents');
      const short = await order(4);
      assert.deepEqual([short.isError, short.content[0].text], [true, 'only 3 left of apple']);
    });
  }
}
