import { Buffer } from 'node:buffer';
import { describe, expect, it } from 'vitest';
import {
  audio,
  validateContentBlock,
  embeddedResource,
  image,
  isContentBlock,
  isResourceContents,
  resourceLink,
  text,
} from '../../src/content/blocks.js';

const blocks = [
  text('你好', { annotations: { audience: ['user'], priority: 1 } }),
  image(new Uint8Array([255, 0, 128]), 'image/png'),
  audio('UklGRg==', 'audio/wav'),
  resourceLink('file:///a', 'a', { size: 3 }),
  embeddedResource({ uri: 'file:///a', text: 'abc' }),
  embeddedResource({ uri: 'file:///b', blob: 'AA==', mimeType: 'image/png' }),
];

it('makes blocks that survive the wire and are recognised', () => {
  for (const block of JSON.parse(JSON.stringify(blocks)) as unknown[])
    expect(isContentBlock(block)).toBe(true);
  expect(blocks[0]).toEqual({ type: 'text', text: '你好', annotations: { audience: ['user'], priority: 1 } });
});

it('encodes bytes as base64, also megabytes of them', () => {
  const bytes = Uint8Array.from({ length: 1_000_003 }, (_, at) => at % 251);
  expect(image(bytes, 'image/png').data).toBe(Buffer.from(bytes).toString('base64'));
});

it.each([
  null,
  'text',
  [],
  {},
  { type: 'text' },
  { type: 'text', text: 1 },
  { type: 'image', data: 'AA==' },
  { type: 'resource_link', uri: 'a:b' },
  { type: 'resource', resource: null },
  { type: 'resource', resource: { uri: 'a:b' } },
  { type: 'video', data: '', mimeType: '' },
])('is not a block: %j', (value) => {
  expect(isContentBlock(value)).toBe(false);
});

it('accepts unknown members', () => {
  expect(isContentBlock({ type: 'text', text: '', later: 1 })).toBe(true);
  expect(isResourceContents({ uri: 'a:b', text: '', later: 1 })).toBe(true);
});

describe('data of pictures and sounds', () => {
  it.each(['no!', 'AAA', 'AA=', 'AA\n==', 'AA-_', '===='])('%j is not base64', (data) => {
    for (const make of [image, audio]) expect(() => make(data, 'image/png')).toThrow('"data" is not base64');
    const raw = { type: 'image', data, mimeType: 'image/png' };
    expect(isContentBlock(raw)).toBe(true);
    expect(validateContentBlock(raw)).toBe('is of the type "image", whose "data" is not base64');
  });

  it.each(['', 'png', 'image/', 'image/p g', 'image/png;', 7])('%j is not a media type', (type) => {
    for (const make of [image, audio])
      expect(() => make('AA==', type as string)).toThrow(/"mimeType" .* is not a media type/);
    if (typeof type === 'string')
      expect(validateContentBlock({ type: 'audio', data: 'AA==', mimeType: type })).toContain(
        'is not a media type',
      );
  });

  it('are otherwise valid, and no other block has any', () => {
    for (const block of [...blocks, image('', 'image/png'), audio('AAA=', 'audio/ogg; codecs="opus"')])
      expect(validateContentBlock(block)).toBeUndefined();
    expect(validateContentBlock({ type: 'text' })).toBe('is not a content block');
  });
});
