import assert from 'node:assert/strict';
import { test } from 'node:test';
import { tools } from 'rxmcp/tools';
import { connectedPair } from '@rxmcp/testing';
import { price } from '../src/price.js';
import { offers } from '../src/shop.js';

test('a tenth off from ten pieces on', () => {
  assert.equal(price('bread', 9), 2_250);
  assert.equal(price('bread', 10), 2_250);
});

test('the tool says the price', async (t) => {
  const { remote } = await connectedPair({ server: offers(), onCleanup: (close) => t.after(close) });
  const { content } = await tools(remote).call('quote', { item: 'tea', quantity: 2 });
  assert.equal(content[0].text, '960 cents');
});

for (const quantity of [0, -1, 1_001, 1.5, '2', null]) {
  test(`a quantity of ${JSON.stringify(quantity)} is rejected`, async (t) => {
    const { remote } = await connectedPair({ server: offers(), onCleanup: (close) => t.after(close) });
    const result = await tools(remote).call('quote', { item: 'tea', quantity });
    assert.equal(result.isError, true);
    assert.match(result.content[0].text, /^invalid arguments for tool "quote": quantity/);
  });
}
