import assert from 'node:assert/strict';
import { test } from 'node:test';
import { once } from 'rxmcp';
import { tools } from 'rxmcp/tools';
import { shop } from '../src/shop.js';
import { connected, transports } from './connected.js';

const tea = { item: 'tea', quantity: 1 };

for (const over of transports) {
  test(`what breaks inside stays inside over ${over}`, async (t) => {
    const stockOf = async () => {
      throw new Error('connect ECONNREFUSED 10.1.2.3 as root:hunter2');
    };
    const server = shop({ stockOf });
    const faults = [];
    server.faults$.subscribe((fault) => faults.push(fault));
    const remote = await connected(t, over, server);
    const result = await tools(remote).call('order', tea);
    assert.equal(result.isError, true);
    assert.doesNotMatch(JSON.stringify(result), /hunter2|10\.1\.2\.3/);
    assert.equal(faults[0].code, 'HANDLER_FAILED');
    assert.match(faults[0].cause.message, /hunter2/);
    assert.ok(result.content[0].text.includes(faults[0].reference));
  });

  test(`a dependency that hangs is given up over ${over}`, async (t) => {
    const stockOf = (_item, signal) =>
      new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(signal.reason)));
    const remote = await connected(t, over, shop({ stockOf, waitMs: 50 }));
    const result = await tools(remote).call('order', tea);
    assert.deepEqual([result.isError, result.content[0].text], [true, 'the warehouse does not answer']);
  });

  test(`an unknown tool is an error of the protocol over ${over}`, async (t) => {
    const remote = await connected(t, over, shop());
    await assert.rejects(once(tools(remote).call('steal', {})), { code: -32602, outcome: 'answered' });
  });
}
