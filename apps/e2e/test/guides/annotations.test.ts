import { byLastModified, byPriority, forAudience, once } from 'rxmcp';
import { resource, resources } from 'rxmcp/resources';
import { text } from 'rxmcp/tools';
import { expect, it } from 'vitest';
import { each } from '../matrix/harness.js';

const server = 'paths';

each('resources are sorted and filtered by their hints', { server }, async ({ connect, version }) => {
  const { remote, faults } = await connect();
  const all = await once(resources(remote).list());
  const names = (found: typeof all): string[] => found.map(({ name }) => name);
  expect(names([...all].sort(byPriority))).toEqual(['guide', 'wiki', 'app']);
  expect(names(all.filter(forAudience('assistant')))).toEqual(['app', 'wiki']);
  expect(names(all.filter(forAudience('user')))).toEqual(['guide', 'wiki']);
  // Times came with 2025-06-18: before that the list stays in its order.
  const latest = version < '2025-06-18' ? ['app', 'guide', 'wiki'] : ['app', 'wiki', 'guide'];
  expect(names([...all].sort(byLastModified))).toEqual(latest);
  expect(faults).toEqual([]);
});

each('invalid hints are left out, with a fault', { server, options: { wrong: true } }, async (cell) => {
  const { remote, faults } = await cell.connect();
  expect(await once(resources(remote).list())).toEqual([
    { uri: 'x:a', name: 'a', annotations: { priority: 0.5 } },
    { uri: 'x:b', name: 'b', annotations: { audience: ['user'] } },
  ]);
  expect(faults.map(({ code }) => code)).toEqual(['MEMBER_DROPPED']);
});

it('invalid hints are rejected where they are given', () => {
  expect(() => resource('x:a', { annotations: { priority: 2 } }, '')).toThrow('a number from 0 to 1, not 2');
  expect(() => text('a', { annotations: { lastModified: 'now' } })).toThrow('ISO 8601');
  expect(() => resource('x:a', { size: 1.5 }, '')).toThrow('whole number of bytes');
});
