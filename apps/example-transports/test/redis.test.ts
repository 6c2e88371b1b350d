import { createClient } from '@redis/client';
import { verifyApplicableRules } from '@rxmcp/transport-tck';
import { relayTo } from '@rxmcp/transport-tck/node';
import { afterAll, describe, test } from 'vitest';
import { aboutConnections } from '../../../vitest.connections.js';
import { generousTimeouts } from '../../../vitest.kit.js';
import { redisStreams, serveRedisStreams } from '../src/redis-streams.js';
import { missingRedis, type RedisServer, startRedis } from './redis-server.js';

/** Four beats of silence are a loss, which a busy machine must not look like. The rules send messages of the largest size. */
const beats = { heartbeatIntervalMs: 1_000, traits: { maxMessageBytes: 1024 * 1024 } };

describe.skipIf(missingRedis !== undefined)('Redis Streams', async () => {
  if (missingRedis !== undefined) return;
  const server: RedisServer = await startRedis();
  const direct = await relayTo(server);
  const url = `redis://127.0.0.1:${String(direct.port)}`;
  const redis = await createClient({ url }).connect();
  afterAll(async () => {
    redis.destroy();
    await direct.close();
    await server.stop();
  });
  let rule = 0;

  await verifyApplicableRules({
    test: aboutConnections(test),
    async serve(handler) {
      const name = `tck${String((rule += 1))}`;
      const relay = await relayTo(server);
      const handle = await serveRedisStreams(handler, url, name, beats);
      const newest = async (): Promise<string> =>
        (await redis.xRevRange(name, '+', '-', { COUNT: 1 }))?.[0]?.message['id'] ?? '';
      return {
        transport: redisStreams(`redis://127.0.0.1:${String(relay.port)}`, name, beats),
        async close() {
          await handle.close();
          await relay.close();
        },
        pausesReading: true,
        // A frame of another client of Redis may arrive after a request that was sent later, which the rule does not allow.
        notInjectable: ['bytes', 'batch'],
        async injectFrame(towards, frame) {
          if (typeof frame !== 'string') return false;
          const key = `${name}:${await newest()}:${towards === 'served' ? 'up' : 'down'}`;
          await redis.xAdd(key, '*', { text: frame });
          return true;
        },
        // No `relay` of the kit: what passes there is commands of one client to Redis, and not what the other side gets.
        cut: () => relay.cut(),
        async residue() {
          const keys = await redis.keys(`${name}:*`);
          const lengths = await Promise.all(keys.map((key) => redis.xLen(key)));
          return lengths.reduce((sum, length) => sum + length, keys.length);
        },
      };
    },
    options: generousTimeouts,
  });
});
