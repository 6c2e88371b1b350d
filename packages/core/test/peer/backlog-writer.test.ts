import { expect, it } from 'vitest';
import { BacklogWriter } from '../../src/peer/backlog-writer.js';
import { notification } from '../../src/peer/writer.js';
import { pipe } from '../rig/pipe.js';
import { turn } from '../rig/turn.js';

it('calls back once when everything is taken, and not a callback that was removed', async () => {
  const wire = pipe();
  wire.connection.start({
    received: () => undefined,
    fault: () => undefined,
    laneClosed: () => undefined,
    closed: () => undefined,
  });
  const writer = new BacklogWriter(wire.connection, { wire: undefined, unsent: () => undefined });
  wire.stall();
  void writer.send(notification('x/a'));
  const called: string[] = [];
  const removed = (): void => void called.push('removed');
  writer.onDrain(undefined, () => void called.push('kept'));
  writer.onDrain(undefined, removed);
  writer.offDrain(undefined, removed);
  expect([writer.saturated(undefined), called]).toEqual([true, []]);
  wire.release();
  await turn();
  expect([writer.saturated(undefined), called]).toEqual([false, ['kept']]);
});
