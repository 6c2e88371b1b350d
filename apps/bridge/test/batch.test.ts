import { expect, it, onTestFinished } from 'vitest';
import { joins } from './joins.js';
import { clientOf, opened } from './raw.js';
import { scene, versions } from './scenes.js';
import { until } from './until.js';

const own = (id: number) => ({ id, method: 'x/own', params: { n: id } });

it.each(versions.filter((version) => version !== '2026-07-28'))(
  '%s: a batch passes where the revision has batches, and is rejected as a whole elsewhere',
  async (version) => {
    const { server, told } = scene();
    const there = await joins['port']?.(server, onTestFinished);
    if (there === undefined) throw new Error('no transport "port"');
    const client = await clientOf(there);
    await opened(client, version);
    client.writeBatch(own(1), { method: 'x/tell', params: { n: 7 } }, own(2));
    const passes = version === '2025-03-26';
    await client.has(passes ? 2 : 1);
    if (passes) {
      expect(client.heard).toMatchObject([1, 2].map((id) => ({ id, result: { got: { n: id } } })));
      await until(() => told.length === 1);
    } else {
      expect(client.heard).toMatchObject([{ error: { code: -32600 } }]);
      client.heard.length = 0;
      client.write(own(3));
      await client.has(1);
      expect(client.heard).toMatchObject([{ id: 3 }]);
      expect(told).toEqual([]);
    }
  },
);
