import { PassThrough } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { CallClient } from '../src/client/call-client.js';
import { LineWire } from '../src/client/line-wire.js';
import { speakersOf } from '../src/settings.js';
import { connectContestant } from '../src/memory/connect.js';
import { run, timed } from '../src/memory/run-calls.js';
import { type BenchEra, checkReply, expectedText } from '../src/requests.js';
import { serveContestant } from '../src/servers/serve.js';
// Loaded before the first test, whose time it would take.
import '../src/servers/rxmcp.js';
import '../src/servers/v1.js';
import '../src/servers/v2.js';

describe.each(['legacy', 'modern'] satisfies BenchEra[])('%s', (era) => {
  describe.each(speakersOf({ transport: 'stdio', era }))('%s', (contestant) => {
    it.each([1, 20])('answers the lines of the bench with %i tools', async (tools) => {
      const input = new PassThrough();
      const output = new PassThrough();
      await serveContestant(contestant, input, output, tools);
      const client = new CallClient(era, new LineWire(output, input));
      expect(await client.open()).toBe(tools);
      const { latencies } = await client.run(50, 8);
      expect(latencies.every((micros) => micros > 0)).toBe(true);
      input.end();
    });

    it('answers calls in memory', async () => {
      const link = await connectContestant(contestant, era, 20);
      expect(await link.count()).toBe(20);
      await run(link, 0, 50, 8);
      expect(await timed(link, 10, 1)).toHaveLength(10);
    });
  });
});

describe.each(['legacy', 'modern'] satisfies BenchEra[])('%s', (era) => {
  it.each(speakersOf({ transport: 'bridge', era }))(
    '%s answers calls where a bridge may be',
    async (name) => {
      const link = await connectContestant(name, era, 1);
      expect(await link.count()).toBe(1);
      await run(link, 0, 50, 8);
    },
  );
});

describe('a reply', () => {
  const content = [{ type: 'text', text: expectedText(7) }];

  it('counts when it is the right one', () => {
    checkReply('legacy', { id: 7, result: { content } });
    checkReply('modern', { id: 7, result: { content, resultType: 'complete' } });
  });

  it.each([
    ['has another text', 'legacy', { id: 8, result: { content } }],
    ['is an error', 'legacy', { id: 7 }],
    ['says isError', 'legacy', { id: 7, result: { content, isError: true } }],
    ['is not said to be complete', 'modern', { id: 7, result: { content } }],
  ] as const)('stops the bench when it %s', (_, era, reply) => {
    expect(() => checkReply(era, reply)).toThrow('a wrong reply');
  });

  it('stops the bench when it comes twice', async () => {
    const input = new PassThrough();
    const output = new PassThrough();
    const client = new CallClient('legacy', new LineWire(output, input));
    const running = client.run(2, 1);
    const reply = JSON.stringify({ id: 1, result: { content: [{ type: 'text', text: expectedText(1) }] } });
    output.write(`${reply}\n`);
    setImmediate(() => output.write(`${reply}\n`));
    await expect(running).rejects.toThrow('an unexpected reply to 1');
  });
});
