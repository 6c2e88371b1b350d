import { Subject } from 'rxjs';
import { describe, expect, it, onTestFinished } from 'vitest';
import { once } from '@rxmcp/core';
import { memory } from '@rxmcp/memory';
import { connectedPair } from '@rxmcp/testing';
import type { ResourceDefinition } from '../src/index.js';
import { offerResources, resources, template } from '../src/index.js';

const named = (text: string) => template(text, {}, () => text);

async function reader(offered: Parameters<typeof offerResources>[0]) {
  const { remote } = await connectedPair({
    server: [offerResources(offered)],
    link: memory(),
    onCleanup: onTestFinished,
  });
  return async (uri: string) => (await once(resources(remote).read(uri)))[0]?.text;
}

describe('RELIABILITY row 58: templates that take the same uris', () => {
  it('the more particular one takes a uri, wherever it stands', async () => {
    const texts = ['x:/{+a}', 'x:/{a}', 'x:/{a}.md', 'x:/{a}/{b}'];
    for (const order of [texts, [...texts].reverse()]) {
      const read = await reader(order.map(named));
      expect(await read('x:/1.md')).toBe('x:/{a}.md');
      expect(await read('x:/1.txt')).toBe('x:/{a}');
      expect(await read('x:/1/2')).toBe('x:/{a}/{b}');
      expect(await read('x:/1/2/3')).toBe('x:/{+a}');
    }
  });

  it.each([
    ['x:/{a}.md', 'x:/read{b}', 'x:/readme.md', 'x:/read{b}'],
    ['x:/{+a}', 'x:/{a}', 'x:/1', 'x:/{a}'],
    ['x:/{a}{/b}', 'x:/{a}', 'x:/1', 'x:/{a}'],
    ['x:/u{/id*}', 'x:/u/me{/id}', 'x:/u/me/1', 'x:/u/me{/id}'],
    ['x:/{+a}', 'x:/long/{a}', 'x:/long/1', 'x:/long/{a}'],
  ])('of %s and %s the longer literals win, then the one without slashes', async (one, other, uri, first) => {
    expect(await (await reader([named(one), named(other)]))(uri)).toBe(first);
    expect(await (await reader([named(other), named(one)]))(uri)).toBe(first);
  });

  it.each([
    ['x:/{a}', 'x:/{b}', 'x:/1'],
    ['x:/{a}/b', 'x:/a/{b}', 'x:/a/b'],
    ['x:/l{?a}', 'x:/l{?b}', 'x:/l'],
  ])(
    'of %s and %s, whose literals are equally long, the first of the offer wins',
    async (one, other, uri) => {
      expect(await (await reader([named(one), named(other)]))(uri)).toBe(one);
      expect(await (await reader([named(other), named(one)]))(uri)).toBe(other);
    },
  );

  it('the same holds for each list of a live offer', async () => {
    const source = new Subject<readonly ResourceDefinition[]>();
    const read = await reader(source);
    const first = read('x:/1.md');
    source.next(['x:/{+a}', 'x:/{a}', 'x:/{a}.md'].map(named));
    expect(await first).toBe('x:/{a}.md');
    source.next(['x:/{a}.{b}', 'x:/{a}'].map(named));
    expect(await read('x:/1.md')).toBe('x:/{a}.{b}');
    expect(await read('x:/1')).toBe('x:/{a}');
    source.next(['x:/{+a}', 'x:/{a}'].map(named));
    expect(await read('x:/1')).toBe('x:/{a}');
    expect(await read('x:/1/2')).toBe('x:/{+a}');
  });
});
