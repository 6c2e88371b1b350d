import fc from 'fast-check';
import { Subject } from 'rxjs';
import { describe, expect, it, onTestFinished } from 'vitest';
import { once } from '@rxmcp/core';
import { memory } from '@rxmcp/memory';
import { connectedPair } from '@rxmcp/testing';
import type { Offered } from '../src/index.js';
import { offerResources, resources, template, uriTemplate } from '../src/index.js';
import { parseTemplate } from '../src/uri/parse.js';
import { relationOf } from '../src/uri/relation.js';
import { shapeOf } from '../src/uri/shape.js';

const shape = (text: string) => shapeOf(text, parseTemplate(text));
const named = (text: string) => template(text, {}, () => text);

describe('how two templates relate', () => {
  it.each([
    ['x:/{a}', 'y:/{a}', 'apart'],
    ['x:/{a}', 'x:/{a}/{b}', 'apart'],
    ['x:/{a}', 'x:/{b}', 'same'],
    ['x:/{+a}', 'x:/{b}', 'wider'],
    ['x:/{+a}', 'x:/{b}/{c}', 'wider'],
    ['x:/{+a}', 'x:/{b}{/c*}', 'wider'],
    ['x:/{a}', 'x:/{a}.md', 'wider'],
    ['x:/{a}', 'x:/{a}.{b}', 'wider'],
    ['x:/{a}.md', 'x:/{a}.txt', 'apart'],
    ['x:/{a}.md', 'x:/read{b}', 'crossing'],
    ['x:/{a}/b', 'x:/a/{b}', 'crossing'],
    ['x:u{/id}', 'x:users{/id}', 'apart'],
    ['x:u{/id}', 'x:u/me{/id}', 'crossing'],
    ['x:u{/id*}', 'x:u/me{/id}', 'wider'],
    ['x:u{/id}', 'x:u/{id}', 'wider'],
    ['x:/a{.b}', 'x:/{a}', 'narrower'],
    ['x:/{a}{;b}', 'x:/{a}', 'same'],
    ['x:/l{?a}', 'x:/l{?b}', 'crossing'],
    ['x:/l{?a,b}', 'x:/l{?b}', 'wider'],
    ['x:/l{?a*}', 'x:/l{?b}', 'wider'],
    ['x:/l{?a}{#b}', 'x:/l{?a}', 'wider'],
    ['x:/{v}{?a}', 'x:/l{?b}', 'wider'],
    ['r://{o}/{r}/contents{/p*}', 'r://{o}/{r}/refs/{b}/contents{/p*}', 'apart'],
    [`x:{a}${'a'.repeat(4_000)}b`, `x:a{a}${'a'.repeat(4_000)}`, 'apart'],
  ])('%.60s to %.60s: %s', (one = '', other = '', relation) => {
    const turned = relation === 'wider' ? 'narrower' : relation === 'narrower' ? 'wider' : relation;
    expect(relationOf(shape(one), shape(other))).toBe(relation);
    expect(relationOf(shape(other), shape(one))).toBe(turned);
  });

  it('is never contradicted by a uri', () => {
    const piece = fc.constantFrom('a', 'b', '/', '-', '{v}', '{+v}', '{/v}', '{.v}', '{/v*}', '{;v}');
    const text = fc.array(piece, { minLength: 1, maxLength: 5 }).map((all) => {
      let count = 0;
      return `x:${all.map((one) => one.replace('v', () => `v${(count += 1)}`)).join('')}`;
    });
    const usable = text.filter((one) => {
      try {
        shape(one);
        return true;
      } catch {
        return false;
      }
    });
    const uri = fc.array(fc.constantFrom('a', 'b', '/', '-', '.', ';v1=a'), { maxLength: 8 });
    fc.assert(
      fc.property(usable, usable, fc.array(uri, { minLength: 20, maxLength: 20 }), (one, other, uris) => {
        const relation = relationOf(shape(one), shape(other));
        const [first, second] = [uriTemplate(one), uriTemplate(other)];
        for (const tail of uris.map((all) => `x:${all.join('')}`)) {
          const taken = [takes(first, tail), takes(second, tail)];
          if (relation === 'apart') expect(taken).not.toEqual([true, true]);
        }
      }),
      { numRuns: 1_000 },
    );
  });
});

function takes(one: ReturnType<typeof uriTemplate>, uri: string): boolean {
  try {
    return one.match(uri) !== undefined;
  } catch {
    return false;
  }
}

describe('RELIABILITY row 58: templates that take the same uris', () => {
  it.each([
    ['x:/{a}', 'x:/{b}'],
    ['x:/{a}/b', 'x:/a/{b}'],
    ['x:/l{?a}', 'x:/l{?b}'],
  ])('%s and %s are rejected, whatever is between them', (one, other) => {
    const all = [named(one), named('y:/{a}'), named('x:/z/{+a}'), named(other)];
    const both = expect.objectContaining({ message: expect.stringMatching('take the same uris') as string });
    expect(() => offerResources(all)).toThrow(TypeError);
    expect(() => offerResources(all)).toThrow(both);
    for (const text of [one, other]) expect(() => offerResources(all)).toThrow(JSON.stringify(text));
  });

  it('the more specific one matches a uri, wherever it is in the list', async () => {
    const texts = ['x:/{+a}', 'x:/{a}', 'x:/{a}.md', 'x:/{a}/{b}'];
    for (const order of [texts, [...texts].reverse()]) {
      const { remote } = await connectedPair({
        server: [offerResources(order.map(named))],
        link: memory(),
        atEnd: onTestFinished,
      });
      const read = async (uri: string) => (await once(resources(remote).read(uri)))[0]?.text;
      expect(await read('x:/1.md')).toBe('x:/{a}.md');
      expect(await read('x:/1.txt')).toBe('x:/{a}');
      expect(await read('x:/1/2')).toBe('x:/{a}/{b}');
      expect(await read('x:/1/2/3')).toBe('x:/{+a}');
    }
  });

  it('in a live offer such a list is dropped with a fault', async () => {
    const source = new Subject<readonly Offered[]>();
    const { remote, serverFaults } = await connectedPair({
      server: [offerResources(source)],
      link: memory(),
      atEnd: onTestFinished,
    });
    const listed = once(resources(remote).templates());
    source.next([named('x:/{a}')]);
    expect(await listed).toHaveLength(1);
    source.next([named('x:/{a}'), named('x:/{b}')]);
    expect(serverFaults).toMatchObject([
      { code: 'OFFER_INVALID', message: expect.stringContaining('x:/{b}') },
    ]);
    expect((await once(resources(remote).read('x:/1')))[0]?.text).toBe('x:/{a}');
  });
});

describe('what comparing templates costs', () => {
  const kinds = (count: number) =>
    Array.from({ length: count }, (_, index) => named(`repo://{owner}/{repo}/kind${index}/{id}`));

  it('many templates are compared only where they begin alike', () => {
    const many = Array.from({ length: 2_000 }, (_, index) => named(`t${index}://{a}/${'b'.repeat(50)}/{c}`));
    expect(() => offerResources(many)).not.toThrow();
  });

  it('distinguishes templates that differ within a segment in few steps', () => {
    expect(added(() => offerResources(kinds(200)))).toBeLessThan(20_000);
  });

  it('all pairs share one budget, however hard they are to compare', () => {
    const variables = Array.from({ length: 100 }, (_, index) => `{v${index}}a`).join('');
    const hard = Array.from({ length: 16 }, (_, index) => named(`x:${variables}${'c'.repeat(index)}{z}`));
    expect(added(() => offerResources(hard))).toBeLessThan(3_000_000);
  });

  it('a live list compares only its new templates', async () => {
    const source = new Subject<readonly Offered[]>();
    const { remote } = await connectedPair({
      server: [offerResources(source)],
      link: memory(),
      atEnd: onTestFinished,
    });
    const made = (...more: string[]) => ['x:/{+a}', 'x:/{a}', 'x:/{a}.md', ...more].map(named);
    const listed = once(resources(remote).templates());
    source.next(made());
    expect(await listed).toHaveLength(3);
    const read = async (uri: string) => (await once(resources(remote).read(uri)))[0]?.text;
    const again = added(() => source.next([...made()].reverse()));
    expect(await read('x:/1.md')).toBe('x:/{a}.md');
    const more = added(() => source.next(made('x:/{a}.{b}')));
    expect(again).toBeLessThan(20);
    expect(more).toBeGreaterThan(20);
    expect(await read('x:/1.md')).toBe('x:/{a}.md');
    expect(await read('x:/1.txt')).toBe('x:/{a}.{b}');
    source.next(made('x:/{b}'));
    expect(await read('x:/1.txt')).toBe('x:/{a}.{b}');
    source.next(made().slice(1));
    expect(await read('x:/1.md')).toBe('x:/{a}.md');
    source.next(made());
    expect(await read('x:/1')).toBe('x:/{a}');
    expect(await read('x:/1/2')).toBe('x:/{+a}');
  });
});

/** How often something is put into a set meanwhile, as each state that is looked at is. */
function added(run: () => unknown): number {
  let count = 0;
  const { add } = Set.prototype;
  Set.prototype.add = function (this: Set<unknown>, value: unknown) {
    count += 1;
    return add.call(this, value);
  };
  try {
    run();
    return count;
  } finally {
    Set.prototype.add = add;
  }
}
