import { expect, it } from 'vitest';
import { counting, watch } from '../rig/counting.js';
import { connected } from '../rig/raw-server.js';
import { turn } from '../rig/turn.js';

it.each(['modern', 'legacy'] as const)(
  'the others keep the feed when one of several subscribers unsubscribes, over %s',
  async (era) => {
    const { server, methods, changed } = counting(era);
    const remote = await connected(server);
    const values: number[] = [];
    const first = watch(remote, 'a:/x').subscribe();
    watch(remote, 'a:/x').subscribe((value) => values.push(value));
    await turn();
    const before = methods().length;
    first.unsubscribe();
    await turn();
    await turn();
    expect(methods()).toHaveLength(before);
    changed('a:/x');
    await turn();
    expect(values).toEqual([1, 2]);
    expect(methods().slice(before)).toEqual(['x/read']);
  },
);
