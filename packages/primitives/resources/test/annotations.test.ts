import { type Annotations, byPriority, forAudience, once, type Role } from '@rxmcp/core';
import { defineOffer } from '@rxmcp/core/internal';
import { describe, expect, it } from 'vitest';
import { offerResources, resource, resources, template } from '../src/index.js';
import { type Era, eras, laterThanOldest, serve } from './fixture.js';

const good = { audience: ['user'], priority: 0.5, lastModified: '2025-01-12T15:00:58Z' } as const;

describe('annotations of an offer', () => {
  it.each<[string, Annotations, string]>([
    ['an audience', { audience: ['root' as Role] }, 'must be a list of "user" and "assistant", not ["root"]'],
    ['a priority', { priority: 2 }, 'must be a number from 0 to 1, not 2'],
    ['a time', { lastModified: '12.1.2025' }, 'must be an ISO 8601 time'],
  ])('rejects %s that is invalid when it is made', (_, annotations, problem) => {
    for (const make of [
      () => resource('x:a', { annotations }, ''),
      () => template('x:{a}', { annotations }, () => ''),
      () => template('x:{a}', { list: [{ uri: 'x:b', annotations }] }, () => ''),
    ]) {
      expect(make).toThrow(TypeError);
      expect(make).toThrow(problem);
    }
    expect(() => resource('x:a', { annotations }, '')).toThrow('resource "x:a": the annotation');
  });
});

describe.each(eras)('annotations on the wire, %s %j', (...era: Era) => {
  it('are sent as they were given', async () => {
    const offered = [
      resource('x:a', { annotations: good, size: 1 }, 'a'),
      template('x:t/{v}', { annotations: { priority: 1 } }, () => ''),
    ];
    const rig = serve(offerResources(offered));
    const use = resources(await rig.connect(era));
    const known = {
      audience: ['user'],
      priority: 0.5,
      ...laterThanOldest(era, { lastModified: good.lastModified }),
    };
    expect(await once(use.list())).toMatchObject([{ uri: 'x:a', annotations: known }]);
    expect(await once(use.templates())).toMatchObject([{ annotations: { priority: 1 } }]);
    expect(rig.faults).toEqual([]);
  });

  it('of a peer are dropped when invalid, with one fault for each list', async () => {
    const entries = [
      { uri: 'x:a', name: 'a', annotations: { audience: ['user', 'robot'], priority: 0.5 }, size: 1.5 },
      { uri: 'x:b', name: 'b', annotations: { lastModified: 'now', priority: 1 } },
      { uri: 'x:c', name: 'c', annotations: 7 },
      { uri: 'x:d', name: 'd', annotations: { priority: -1, audience: ['assistant'] }, mimeType: 'text' },
    ];
    const rig = serve(
      defineOffer({
        name: 'odd',
        side: 'server',
        capabilities: { resources: {} },
        methods: [
          { method: 'resources/list', handle: () => ({ resources: entries }) },
          {
            method: 'resources/templates/list',
            handle: () => ({
              resourceTemplates: [{ uriTemplate: 'x:{a}', name: 't', annotations: { priority: 9, more: 1 } }],
            }),
          },
          {
            method: 'resources/read',
            handle: ({ uri }) => ({ contents: [{ uri, mimeType: 'no type', text: 'a' }] }),
          },
        ],
      }),
    );
    const use = resources(await rig.connect(era));
    const listed = await once(use.list());
    expect(listed).toEqual([
      { uri: 'x:a', name: 'a', annotations: { priority: 0.5 } },
      { uri: 'x:b', name: 'b', annotations: { priority: 1 } },
      { uri: 'x:c', name: 'c' },
      { uri: 'x:d', name: 'd', annotations: { audience: ['assistant'] } },
    ]);
    expect(await once(use.templates())).toMatchObject([{ annotations: { more: 1 } }]);
    expect(await once(use.read('x:a'))).toEqual([{ uri: 'x:a', text: 'a' }]);
    expect(rig.faults.map(({ code, message }) => `${code} ${message}`)).toEqual([
      'MEMBER_DROPPED "resources/list": removed "size" of "x:a": not of the type that the specification defines',
      'MEMBER_DROPPED "resources/templates/list": removed "annotations.priority" of "x:{a}": not of the type that the specification defines',
      'MEMBER_DROPPED "resources/read": removed "mimeType" of "x:a": not of the type that the specification defines',
    ]);
    const names = (all: typeof listed): string[] => all.map(({ name }) => name);
    expect(names(listed.filter(forAudience('user')).sort(byPriority))).toEqual(['b', 'a', 'c']);
  });
});
