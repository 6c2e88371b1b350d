import { afterEach, expect, it } from 'vitest';
import { FaultLog } from '../../src/streams/fault-log.js';
import { turn } from '../rig/turn.js';

const { prepareStackTrace } = Error;
afterEach(() => void (Error.prepareStackTrace = prepareStackTrace));

it('formats the stacks of kept faults once, so that they keep nothing else', async () => {
  const formatted: string[] = [];
  Error.prepareStackTrace = ({ message }) => (formatted.push(message), message);
  const log = new FaultLog('a test');
  const add = (cause: unknown): void => log.add({ code: 'X', message: 'x', quiet: true, cause });
  add(new Error('outer', { cause: new Error('inner') }));
  const cycle = new Error('cycle');
  cycle.cause = cycle;
  add(cycle);
  add('no error');
  expect(formatted).toEqual([]);
  await turn();
  expect(formatted).toEqual(['outer', 'inner', 'cycle']);
});

it('formats only what is still kept after a flood, in one microtask or in many', async () => {
  const formatted: string[] = [];
  const log = new FaultLog('a test');
  const flood = Array.from({ length: 100 }, (_, at) => new Error(String(at)));
  Error.prepareStackTrace = ({ message }) => (formatted.push(message), message);
  for (const cause of flood) {
    log.add({ code: 'X', message: 'x', quiet: true, cause });
    if (Number(cause.message) % 3 === 0) await Promise.resolve();
  }
  await turn();
  expect(formatted).toEqual(Array.from({ length: 16 }, (_, at) => String(84 + at)));
});
