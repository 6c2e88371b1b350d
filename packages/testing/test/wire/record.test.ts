import { defineClient, defineServer, offerMethod, once } from '@rxmcp/core';
import { memory } from '@rxmcp/memory';
import { expect, it } from 'vitest';
import type { RecordOptions, Recording } from '../../src/index.js';
import { record, replayAsServer, virtualTime } from '../../src/index.js';

const info = { name: 'x', version: '1.0.0' };

async function taken(options: RecordOptions): Promise<Recording> {
  using time = virtualTime();
  const link = memory();
  const wait = (ms: unknown) => new Promise((resolve) => setTimeout(resolve, Number(ms)));
  const slow = offerMethod('own/slow', {}, async ({ ms }) => (await wait(ms), { password: 'p', told: 't' }));
  const serving = link.serve(defineServer({ info, offers: [slow] }));
  const wire = record(link, options);
  const remote = await time.run(defineClient({ info, versions: ['2025-11-25'] }).connect(wire.recorded));
  for (const ms of [50, 200]) {
    await time.run(once(remote.request('own/slow', { ms, apiKey: 'k', pin: { code: 1 } })));
  }
  await time.run(remote.close());
  await time.run(serving.close());
  return wire.recording();
}

it('keeps frames with their times, the same in every run', async () => {
  const recording = await taken({});
  expect(recording.lost).toBe(0);
  expect(recording.frames.map(({ at, type }) => `${at} ${type}`)).toEqual([
    '0 opened',
    ...['0 message', '0 message', '0 message', '0 message', '50 message', '50 message', '250 message'],
    '250 closed',
  ]);
  for (let run = 0; run < 20; run += 1) expect(await taken({})).toEqual(recording);
});

it('keeps no secrets, and replays without them', async () => {
  const recording = await taken({ redact: ['pin', /^tol/] });
  const text = JSON.stringify(recording);
  expect(text).not.toMatch(/"k"|"p"|"t"|"code":1/);
  const { transport, done } = replayAsServer(recording);
  const remote = await defineClient({ info, versions: ['2025-11-25'] }).connect(transport);
  const ask = (ms: number) => once(remote.request('own/slow', { ms, apiKey: 'other', pin: {} }));
  expect(await ask(50)).toMatchObject({ password: '<redacted>' });
  await ask(200);
  await done;
  await remote.close();
});

it('is bounded in frames and characters, and says what it lost', async () => {
  const all = await taken({});
  const few = await taken({ maxFrames: 5 });
  expect([few.frames, few.lost]).toEqual([all.frames.slice(0, 5), all.frames.length - 5]);
  const short = await taken({ maxChars: 500 });
  expect(short.lost).toBeGreaterThan(0);
  expect(JSON.stringify(short.frames).length).toBeLessThan(1_500);
});
