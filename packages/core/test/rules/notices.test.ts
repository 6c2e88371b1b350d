import { MemoryBudget } from '@rxmcp/transport';
import { expect, it } from 'vitest';
import type { Change } from '../../src/eras/served.js';
import type { Fault } from '../../src/index.js';
import { defineOffer } from '../../src/internal.js';
import { Hub } from '../../src/server/hub.js';
import { turn } from '../rig/turn.js';

const caller = { capabilities: {} };

it('a client that cannot be notified does not block the others, and is one fault per change', async () => {
  const faults: Fault[] = [];
  const tells = new Map<string, (uri: string) => void>();
  const offer = defineOffer({
    name: 'resources',
    side: 'server',
    capabilities: {},
    watch: (uri, _caller, changed) => {
      tells.set(uri, changed);
      return () => undefined;
    },
  });
  const hub = new Hub(
    [offer],
    new MemoryBudget({ maxBytes: 1_024 }),
    undefined,
    (fault) => void faults.push(fault),
  );
  const heard: string[] = [];
  const broken =
    () =>
    (change: Change): void => {
      throw new Error(`no way to ${change.key}`);
    };
  const lists = new Set(['tools'] as const);
  for (const name of ['a', 'b', 'c', 'd']) {
    const listener = (change: Change) => void heard.push(`${name} ${change.key}`);
    hub.follow(lists, caller, name === 'a' || name === 'c' ? broken() : listener);
    hub.watch('x:/1', caller, name === 'b' ? broken() : listener, 'connection 1');
  }
  hub.changed('tools');
  tells.get('x:/1')?.('x:/1');
  await turn();
  expect(heard).toEqual(['b tools', 'd tools', 'a uri x:/1', 'c uri x:/1', 'd uri x:/1']);
  expect(faults.map(({ code, message }) => `${code}: ${message}`)).toEqual([
    'NOTIFICATION_FAILED: a change of the list of tools could not be sent',
    'NOTIFICATION_FAILED: a change of resource "x:/1" could not be sent',
  ]);
  hub.changed('tools');
  await turn();
  expect(heard.slice(5)).toEqual(['b tools', 'd tools']);
  expect(faults).toHaveLength(3);
});

it('what watches keep is charged to each caller, and is at most a part of the memory', () => {
  const holds: ((bytes: number) => boolean)[] = [];
  const offer = defineOffer({
    name: 'resources',
    side: 'server',
    capabilities: {},
    watch: (_uri, _caller, _changed, hold) => {
      holds.push(hold);
      return () => undefined;
    },
  });
  const memory = new MemoryBudget({ maxBytes: 8_000_000 });
  const hub = new Hub([offer], memory);
  const watch = (uri: string, holder: string): (() => void) =>
    hub.watch(uri, caller, () => undefined, holder);
  const ends = [watch('x:/1', 'address a'), watch('x:/1', 'address a'), watch('x:/2', 'address a')];
  ends.push(watch('x:/1', 'address b'));
  // Those of one caller share a watch.
  expect(holds).toHaveLength(3);
  expect(holds.map((hold) => hold(700_000))).toEqual([true, false, true]);
  expect(memory.stats().largest).toEqual([
    { holder: 'address a', heldBytes: 700_000 },
    { holder: 'address b', heldBytes: 700_000 },
  ]);
  ends[0]?.();
  expect(memory.heldBytes).toBe(1_400_000);
  for (const end of ends.slice(1)) end();
  expect(memory.heldBytes).toBe(0);
});

it('a watch whose value is more than its caller may keep does not begin', () => {
  let isEnded = false;
  const offer = defineOffer({
    name: 'resources',
    side: 'server',
    capabilities: {},
    watch: (_uri, _caller, _changed, hold) => {
      hold(100_000);
      hold(5_000_000);
      return () => (isEnded = true);
    },
  });
  const memory = new MemoryBudget({ maxBytes: 8_000_000 });
  const watch = (): unknown => new Hub([offer], memory).watch('x:/1', caller, () => undefined, 'address a');
  expect(watch).toThrow(expect.objectContaining({ code: -31001 }));
  expect([isEnded, memory.heldBytes]).toEqual([true, 0]);
});
