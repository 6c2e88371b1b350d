import { expect, onTestFinished, test, vi } from 'vitest';
import { IncomingMessages } from '../src/incoming-messages.js';

const large = 'x'.repeat(64 * 1024);
/** Passes the looks for input before work that waits. */
async function turn(): Promise<void> {
  for (let look = 0; look < 16; look += 1) await new Promise((resolve) => setImmediate(resolve));
}

/** Messages whose delivery takes so many milliseconds of a clock that is virtual; what happens is written down. */
async function messages(takesMs: (text: string) => number) {
  vi.useFakeTimers({ toFake: ['performance'] });
  onTestFinished(() => void vi.useRealTimers());
  await turn();
  const happened: string[] = [];
  const incoming = new IncomingMessages({
    socket: { pause: () => void happened.push('pause'), resume: () => void happened.push('resume') },
    holder: 'ada',
    deliver: (text) => {
      vi.advanceTimersByTime(takesMs(text));
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

test('a socket of which much is read pauses once the turn is over, and is read again in a later turn', async () => {
  const { incoming, happened } = await messages(() => 40);
  incoming.start();
  incoming.chunkRead(64 * 1024);
  expect(happened).toEqual([]);
  incoming.add(large);
  incoming.chunkRead(1_000);
  expect(happened).toEqual(['large']);
  incoming.chunkRead(64 * 1024);
  expect(happened).toEqual(['large', 'pause']);
  await turn();
  expect(happened).toEqual(['large', 'pause', 'all', 'resume']);
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
