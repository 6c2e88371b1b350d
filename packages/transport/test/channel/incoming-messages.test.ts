import { expect, test, vi } from 'vitest';
import { IncomingMessages } from '../../src/channel/incoming-messages.js';
import { turn, workTime } from '../work-time.js';

const large = 'x'.repeat(64 * 1024);

/** Messages whose delivery takes so many milliseconds of a clock that is virtual; what happens is written down. */
async function messages(takesMs: (text: string) => number, chunkMs = 0) {
  const pass = await workTime();
  const happened: string[] = [];
  const incoming = new IncomingMessages({
    socket: { pause: () => void happened.push('pause'), resume: () => void happened.push('resume') },
    parser: {
      hold: () => void happened.push('hold'),
      parse: (length) => {
        happened.push(`parse ${String(length)}`);
        pass(chunkMs);
      },
    },
    holder: 'ada',
    deliver: (text) => {
      pass(takesMs(text));
      happened.push(text === large ? 'large' : text);
    },
    delivered: () => void happened.push('all'),
  });
  return { incoming, happened };
}

test('a large message that follows one that took long waits for its turn, and those behind it keep their order', async () => {
  const { incoming, happened } = await messages((text) => (text === large ? 40 : 0));
  incoming.start();
  expect([large, 'one', large, 'two', 'three'].map((text) => incoming.add(text))).toEqual([
    false,
    true,
    true,
    true,
    true,
  ]);
  expect(happened.filter((what) => what !== 'pause')).toEqual(['large']);
  expect(happened).toContain('pause');
  happened.length = 0;
  await turn();
  expect(happened).toEqual(['one', 'large']);
  await turn();
  expect(happened).toEqual(['one', 'large', 'two', 'three', 'all', 'resume']);
});

test('small messages never wait where nothing large comes', async () => {
  const { incoming, happened } = await messages(() => 5);
  incoming.start();
  const texts = Array.from({ length: 20 }, (_, at) => String(at));
  expect(texts.map((text) => incoming.add(text))).not.toContain(true);
  expect(happened).toEqual(texts);
});

test('during a pause nothing is delivered, also not what was read with what made it pause', async () => {
  const { incoming, happened } = await messages(() => 0);
  incoming.start();
  incoming.pause();
  expect(incoming.add('one')).toBe(true);
  await turn();
  expect(happened).not.toContain('one');
  happened.length = 0;
  incoming.resume();
  await turn();
  expect(happened).toEqual(['one', 'all', 'resume']);
});

test('a pause while what was read before the start is delivered keeps the rest back', async () => {
  const { incoming, happened } = await messages((text) => {
    if (text === 'two') incoming.pause();
    return 0;
  });
  for (const text of ['one', 'two', 'three', 'four']) incoming.add(text);
  expect(incoming.start()).toBe(true);
  expect(happened).toEqual(['one', 'pause', 'two']);
  await turn();
  happened.length = 0;
  incoming.resume();
  await turn();
  expect(happened).toEqual(['three', 'four', 'all', 'resume']);
});

test('a chunk that is read once the turn is over waits to be parsed, until it is the turn of its socket', async () => {
  const { incoming, happened } = await messages(() => 40);
  incoming.start();
  incoming.chunkRead(64 * 1024);
  expect([happened, incoming.isHeld]).toEqual([[], false]);
  incoming.add(large);
  incoming.chunkRead(1_000);
  expect(happened).toEqual(['large', 'hold', 'pause']);
  expect(incoming.isHeld).toBe(true);
  await turn();
  expect(happened).toEqual(['large', 'hold', 'pause', 'parse 1000', 'all', 'resume']);
  expect(incoming.isHeld).toBe(false);
});

test('the chunks of many sockets are parsed in turns, also where each is small', async () => {
  const sockets = [await messages(() => 0, 40), await messages(() => 0, 40), await messages(() => 0, 40)];
  for (const { incoming } of sockets) incoming.start();
  for (let at = 0; at < 4; at += 1) sockets[0]?.incoming.chunkRead(6_000);
  vi.advanceTimersByTime(20);
  for (const { incoming } of sockets) incoming.chunkRead(6_000);
  const parsed = () => sockets.map(({ happened }) => happened.includes('parse 6000'));
  expect(parsed()).toEqual([false, false, false]);
  await turn();
  expect(parsed()).toEqual([true, false, false]);
  await turn();
  expect(parsed()).toEqual([true, true, false]);
  await turn();
  expect(parsed()).toEqual([true, true, true]);
});

test('what a held chunk has is delivered behind what waits, and a closed socket parses it at once', async () => {
  const { incoming, happened } = await messages(() => 40);
  incoming.start();
  incoming.add(large);
  incoming.add('waits');
  incoming.chunkRead(100);
  await turn();
  expect(happened.filter((what) => what !== 'pause')).toEqual(['large', 'hold', 'waits']);
  incoming.stop();
  expect(happened.at(-1)).toBe('parse 100');
});

test('the end of a socket is reported after its last message, also during a pause', async () => {
  const { incoming, happened } = await messages(() => 40);
  incoming.start();
  incoming.add(large);
  incoming.add('last');
  incoming.pause();
  incoming.end(() => happened.push('end'));
  await turn();
  await turn();
  expect(happened.filter((what) => what !== 'pause')).toEqual(['large', 'last', 'all', 'end']);
});

test('what waits is dropped with the connection', async () => {
  const { incoming, happened } = await messages(() => 40);
  incoming.start();
  incoming.add(large);
  incoming.add('dropped');
  incoming.stop();
  incoming.end(() => happened.push('end'));
  await turn();
  expect(happened.filter((what) => what !== 'pause')).toEqual(['large', 'end']);
});
