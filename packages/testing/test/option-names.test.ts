import { memory } from '@rxmcp/memory';
import { expect, it } from 'vitest';
import { connectedPair, exportTest, fakeRemote, record } from '../src/index.js';

const functions: Readonly<Record<string, (options: object) => unknown>> = {
  connectedPair: (options) => connectedPair(options as never),
  exportTest: (options) => exportTest({ frames: [] } as never, options as never),
  fakeRemote: (options) => fakeRemote({}, options),
  record: (options) => record(memory(), options),
};

it.each([
  ['connectedPair', 'atEnd', 'onCleanup'],
  ['exportTest', 'fromMs', 'startMs'],
  ['exportTest', 'toMs', 'endMs'],
  ['exportTest', 'timed', 'checkTimes'],
  ['fakeRemote', 'versions', 'version'],
  ['record', 'maxChars', 'maxMessageChars'],
])('%s: the unknown option "%s" names "%s"', async (name, wrong, right) => {
  await expect(async () => functions[name]?.({ [wrong]: 1 })).rejects.toThrow(
    `${name}: unknown option "${wrong}", did you mean "${right}"?`,
  );
});

it('a fake remote has a name unless it is given one', async () => {
  await using fake = await fakeRemote({});
  expect(fake.remote.info).toEqual({ name: 'fake', version: '0.0.0' });
  await using named = await fakeRemote({}, { info: { name: 'mine', version: '1.0.0' } });
  expect(named.remote.info).toEqual({ name: 'mine', version: '1.0.0' });
});
