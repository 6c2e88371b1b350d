import assert from 'node:assert/strict';
import { test } from 'node:test';
import { lastValueFrom, mergeMap, range, toArray } from 'rxjs';
import { tools } from 'rxmcp/tools';
import { shop } from '../src/shop.js';
import { connected, transports } from './connected.js';

const calls = 1_000;
const atATime = 64;

for (const over of transports) {
  test(`${calls} orders, ${atATime} at a time, over ${over}`, async (t) => {
    let running = 0;
    let most = 0;
    const stockOf = async () => {
      most = Math.max(most, (running += 1));
      await new Promise((resolve) => setImmediate(resolve));
      running -= 1;
      return 1_000;
    };
    const remote = await connected(t, over, shop({ stockOf }));
    const from = performance.now();
    const results = await lastValueFrom(
      range(1, calls).pipe(
        mergeMap((quantity) => tools(remote).call('order', { item: 'apple', quantity }), atATime),
        toArray(),
      ),
    );
    t.diagnostic(`${Math.round((calls / (performance.now() - from)) * 1_000)} calls a second`);
    assert.equal(results.length, calls);
    assert.ok(results.every(({ isError }) => isError !== true));
    assert.ok(most > 1 && most <= atATime, `${most} ran at a time`);
    assert.equal(running, 0);
  });
}
