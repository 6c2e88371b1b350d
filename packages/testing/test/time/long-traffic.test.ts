import { bridge, defineClient, defineServer, offerMethod, once } from '@rxmcp/core';
import { memory } from '@rxmcp/memory';
import { expect, it } from 'vitest';
import { virtualTime } from '../../src/index.js';

const info = { name: 'long', version: '1.0.0' };

// In memory each so many messages wait for a real turn of the event loop, which the clock must allow.
it.each([
  ['legacy', 'straight'],
  ['legacy', 'over a bridge'],
  ['modern', 'straight'],
  ['modern', 'over a bridge'],
] as const)('%s calls %s are answered at the time they are made, thousands of them', async (era, way) => {
  using time = virtualTime();
  const [front, back] = [memory(), memory()];
  back.serve(defineServer({ info, offers: [offerMethod('own/ok', {}, () => ({}))] }));
  front.serve(bridge(back));
  const client = defineClient({ info, eras: [era] });
  const remote = await time.run(client.connect(way === 'straight' ? back : front));
  const late: number[] = [];
  let answered = 0;
  setInterval(() => {
    const at = time.nowMs;
    void once(remote.request('own/ok')).then(() => {
      answered += 1;
      if (time.nowMs !== at) late.push(time.nowMs - at);
    });
  }, 1_000);
  await time.advance(2_000_000);
  expect({ answered, late }).toEqual({ answered: 2_000, late: [] });
});
