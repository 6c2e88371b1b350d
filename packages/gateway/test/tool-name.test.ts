import { once } from '@rxmcp/core';
import { offerTools, tool, tools } from '@rxmcp/tools';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { prefixCount, prefixedToolName } from '../src/tool-name.js';
import { gateway, modern } from './rig.js';

const prefixes = fc.stringMatching(/^[\w-]{1,32}$/);
const names = fc.stringMatching(/^[\w-]{1,128}$/);

describe('the name of a tool with a prefix', () => {
  it('is within the limit that the name itself is in', () => {
    fc.assert(
      fc.property(prefixes, names, (prefix, name) => {
        const offered = prefixedToolName(prefix, name);
        expect(offered.length).toBeLessThanOrEqual(name.length <= 64 ? 64 : 128);
        expect(offered).toMatch(/^[\w-]+$/);
        if (prefix.length + 1 + name.length <= 64) expect(offered).toBe(`${prefix}-${name}`);
      }),
    );
  });

  it('is another one for another name, and always the same', () => {
    const long = (end: string): string => prefixedToolName('github', `${'n'.repeat(60)}${end}`);
    expect(long('a')).not.toBe(long('b'));
    expect(long('a')).toBe(`github-${'n'.repeat(49)}-${long('a').slice(-7)}`);
    expect(prefixedToolName('p', 'n'.repeat(129))).toHaveLength(131);
    // Stored in the settings of users, so that another version must give the same.
    expect(long('a').slice(-7)).toBe('0cty1lg');
    const lengths = [62, 63, 64, 65, 126, 127, 128].map(
      (length) => prefixedToolName('p', 'n'.repeat(length)).length,
    );
    expect(lengths).toEqual([64, 64, 64, 67, 128, 128, 128]);
  });

  it('leads to the tool', async () => {
    const name = `${'long_'.repeat(12)}name`;
    const offers = [offerTools([tool(name, () => 'called')])];
    const { remote } = await gateway(offers, [modern, modern], { prefix: 'github' });
    const [listed] = await once(tools(remote).list());
    expect(listed?.name).toHaveLength(64);
    expect(await once(tools(remote).call(listed?.name ?? ''))).toMatchObject({
      content: [{ text: 'called' }],
    });
  });

  it('has the prefix as often as a gateway added it', () => {
    const names = ['x', 'a-x', 'a-a-x', 'x-a-y', 'xa-y', 'a'];
    expect(names.map((name) => prefixCount('a', name))).toEqual([0, 1, 2, 1, 0, 0]);
  });
});
