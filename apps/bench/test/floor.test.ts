import { readFile } from 'node:fs/promises';
import { expect, it } from 'vitest';

it.each(['stdio', 'memory', 'http', 'ws', 'sse'])(
  'the floor of %s is one file of at most 40 lines',
  async (transport) => {
    const source = await readFile(new URL(`../src/servers/floor-${transport}.ts`, import.meta.url), 'utf8');
    expect(source.trimEnd().split('\n').length).toBeLessThanOrEqual(40);
    expect(source).not.toMatch(/\bclass\b/);
  },
);
