import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { timeOf } from '../../src/content/annotations.js';
import type { Annotations } from '../../src/index.js';
import {
  audio,
  byLastModified,
  byPriority,
  embeddedResource,
  forAudience,
  image,
  resourceLink,
  text,
} from '../../src/index.js';
import { sanitizeContentBlock } from '../../src/internal.js';

const bad: readonly [string, unknown, string][] = [
  ['audience', ['everyone'], 'must be a list of "user" and "assistant", not ["everyone"]'],
  ['audience', 'user', 'must be a list of "user" and "assistant", not "user"'],
  ['priority', 1.01, 'must be a number from 0 to 1, not 1.01'],
  ['priority', -0.1, 'must be a number from 0 to 1, not -0.1'],
  ['priority', Number.NaN, 'must be a number from 0 to 1, not NaN'],
  ['priority', '1', 'must be a number from 0 to 1, not "1"'],
  ['lastModified', 'yesterday', 'must be an ISO 8601 time such as "2025-01-12T15:00:58Z", not "yesterday"'],
  ['lastModified', 1_700_000_000, 'must be an ISO 8601 time'],
];

describe('annotations of an offer', () => {
  it.each(bad)('a bad %s is refused where the block is made: %j', (member, value, problem) => {
    const annotations = { [member]: value } as Annotations;
    const extras = { annotations };
    for (const make of [
      () => text('a', extras),
      () => image('AA==', 'image/png', extras),
      () => audio('AA==', 'audio/wav', extras),
      () => resourceLink('x:a', 'a', extras),
      () => embeddedResource({ uri: 'x:a', text: '' }, extras),
    ]) {
      expect(make).toThrow(TypeError);
      expect(make).toThrow(`the annotation "${member}" ${problem}`);
    }
  });

  it('rejects an invalid size, and annotations that are not an object', () => {
    for (const size of [1.5, -1, Number.NaN, '1' as never])
      expect(() => resourceLink('x:a', 'a', { size })).toThrow('"size" must be a whole number of bytes');
    expect(() => text('a', { annotations: [] as never })).toThrow('"annotations" must be an object');
    expect(resourceLink('x:a', 'a', { size: 0 }).size).toBe(0);
  });

  it('valid ones stay as they are, with unknown members', () => {
    const annotations = {
      audience: ['user', 'assistant'],
      priority: 0,
      lastModified: '2025-01-12T15:00:58Z',
      'x/own': 1,
    } as const;
    expect(text('a', { annotations }).annotations).toBe(annotations);
    expect(text('a', { annotations: { audience: [] } }).annotations).toEqual({ audience: [] });
  });
});

describe('annotations of a peer', () => {
  const lost: string[] = [];
  const kept = (block: object): unknown => {
    lost.length = 0;
    return sanitizeContentBlock(block as never, (members) => lost.push(...members));
  };

  it.each(bad)('drops an invalid %s and reports a fault; the other members stay: %j', (member, value) => {
    const good = member === 'priority' ? { audience: ['user'] } : { priority: 0.5 };
    const block = { type: 'text', text: 'a', annotations: { ...good, [member]: value } };
    expect(kept(block)).toEqual({ ...block, annotations: good });
    expect(lost).toEqual([`annotations.${member}`]);
  });

  it('drops annotations that are not an object, and an invalid size', () => {
    expect(kept({ type: 'text', text: 'a', annotations: 'user' })).toEqual({ type: 'text', text: 'a' });
    expect(lost).toEqual(['annotations']);
    const link = { type: 'resource_link', uri: 'x:a', name: 'a' };
    expect(kept({ ...link, size: 1.5 })).toEqual(link);
    expect(lost).toEqual(['size']);
  });

  it('a good block is the same object', () => {
    for (const block of [
      { type: 'text', text: 'a' },
      { type: 'text', text: 'a', annotations: { priority: 1, lastModified: '2025-01-12' } },
      { type: 'resource_link', uri: 'x:a', name: 'a', size: 0, more: true },
    ])
      expect(kept(block)).toBe(block);
    expect(lost).toEqual([]);
  });
});

describe('sorting and filtering', () => {
  const entry = (name: string, annotations?: Annotations) => ({ name, annotations });
  const names = (all: readonly { name: string }[]) => all.map(({ name }) => name).join(' ');

  it('by audience: an entry without one is for every audience', () => {
    const all = [
      entry('all'),
      entry('none', { audience: [] }),
      entry('user', { audience: ['user'] }),
      entry('both', { audience: ['assistant', 'user'] }),
      entry('model', { audience: ['assistant'] }),
    ];
    expect(names(all.filter(forAudience('user')))).toBe('all none user both');
    expect(names(all.filter(forAudience('assistant')))).toBe('all none both model');
  });

  it('by priority, the most important first, else in the order of the list', () => {
    const all = [entry('a'), entry('b', { priority: 0.2 }), entry('c', { priority: 1 }), entry('d', {})];
    expect(names([...all].sort(byPriority))).toBe('c b a d');
  });

  it('by time, the latest first, whatever the zone and spelling', () => {
    const all = [
      entry('never'),
      entry('noon', { lastModified: '2025-01-12T12:00:00Z' }),
      entry('later', { lastModified: '2025-01-12T12:30:00+00:00' }),
      entry('earlier', { lastModified: '20250112T130000+0130' }),
      entry('nowhere', {}),
      entry('year', { lastModified: '2026' }),
    ];
    expect(names([...all].sort(byLastModified))).toBe('year later noon earlier never nowhere');
  });
});

describe('ISO 8601', () => {
  it('parses the time that was written', () => {
    fc.assert(
      fc.property(
        fc.date({ min: new Date('0000-01-01T00:00:00Z'), max: new Date('9999-12-31'), noInvalidDate: true }),
        (date) => {
          const text = date.toISOString();
          expect(timeOf(text)).toBe(date.getTime());
          expect(timeOf(text.replaceAll(/[-:]/g, ''))).toBe(date.getTime());
        },
      ),
    );
  });

  it.each([
    ['2024-02-29', Date.UTC(2024, 1, 29)],
    ['2025-01', Date.UTC(2025, 0)],
    ['2025', Date.UTC(2025, 0)],
    ['2025-01-12T15:00Z', Date.UTC(2025, 0, 12, 15)],
    ['2025-01-12T15:00:58', Date.UTC(2025, 0, 12, 15, 0, 58)],
    ['2025-01-12T15:00:58.123456Z', Date.UTC(2025, 0, 12, 15, 0, 58, 123)],
    ['2025-01-12T15:00:58,5Z', Date.UTC(2025, 0, 12, 15, 0, 58, 500)],
    ['2025-01-12T15:00:58+02:00', Date.UTC(2025, 0, 12, 13, 0, 58)],
    ['2025-01-12T15:00:58-0530', Date.UTC(2025, 0, 12, 20, 30, 58)],
    ['2025-01-12T15:00:58+02', Date.UTC(2025, 0, 12, 13, 0, 58)],
    ['2025-12-31T24:00:00Z', Date.UTC(2026, 0, 1)],
    ['2016-12-31T23:59:60Z', Date.UTC(2017, 0, 1)],
    ['2025-01-12T15:00:58-23:59', Date.UTC(2025, 0, 13, 14, 59, 58)],
  ])('%s is a time', (text, time) => expect(timeOf(text)).toBe(time));

  it.each([
    '',
    'yesterday',
    '2025-13-01',
    '2025-01-00',
    '2025-01-32',
    '2025-02-29',
    '2025-00-01',
    '2025-01-12T25:00:00Z',
    '2025-01-12T24:00:01Z',
    '2025-01-12T24:01:00Z',
    '2025-01-12T15:60:00Z',
    '2025-01-12T15:00:61Z',
    '2025-01-12 15:00:58',
    '2025-01-12T15:00:58Z ',
    '12/01/2025',
    '1736694058',
    '2025-01-12T15:00:58+24:00',
    '2025-01-12T15:00:58+02:60',
    '2025-01-12T15:00:58[Europe/Berlin]',
    `2025-01-12T15:00:58.${'1'.repeat(100_000)}Z`,
  ])('%.40j is not a valid time', (text) => expect(timeOf(text)).toBeUndefined());
});
