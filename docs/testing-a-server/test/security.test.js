import assert from 'node:assert/strict';
import { test } from 'node:test';
import { once } from 'rxmcp';
import { resources } from 'rxmcp/resources';
import { tools } from 'rxmcp/tools';
import { shop } from '../src/shop.js';
import { connected, transports } from './connected.js';

const receipts = new Map([['1', 'tea, 480 cents']]);

for (const over of transports) {
  test(`nobody without a token gets in over ${over}`, async (t) => {
    await assert.rejects(connected(t, over, shop(), 'nobody'), { code: 'UNAUTHORIZED' });
  });

  test(`a guest does not see what only clerks may do over ${over}`, async (t) => {
    const remote = await connected(t, over, shop(), 'guest');
    const listed = await tools(remote).list();
    assert.deepEqual(
      listed.map(({ name }) => name),
      ['quote'],
    );
    const order = tools(remote).call('order', { item: 'tea', quantity: 1 });
    await assert.rejects(once(order), { code: -32602 });
  });

  test(`no receipt leads out of its place over ${over}`, async (t) => {
    const remote = await connected(t, over, shop({ receipts }));
    const read = (uri) => once(resources(remote).read(uri));
    assert.equal((await read('receipt:///1'))[0].text, 'tea, 480 cents');
    for (const number of ['..', '..%2f..%2fetc%2fpasswd', '%00', '1;drop', '9'.repeat(10_000)]) {
      await assert.rejects(read(`receipt:///${number}`));
    }
  });

  test(`who calls too fast is told when to come back over ${over}`, async (t) => {
    const remote = await connected(t, over, shop({ callsPerMinute: 1 }));
    const quote = () => once(tools(remote).call('quote', { item: 'tea', quantity: 1 }));
    await quote();
    await assert.rejects(quote(), (error) => error.code === -31001 && error.data.retryAfterMs > 0);
  });
}
