import { describe, expect, it } from 'vitest';
import { ListedTools } from '../../src/interceptors/listed-tools.js';
import { exchange } from './driven.js';

const owner = {};
const annotations = { readOnlyHint: true };
const called = (tools: ListedTools, name: string) =>
  tools.calledBy(exchange({ method: 'tools/call', params: { name }, owner }));
const page = (tools: ListedTools, cursor: string | undefined, listed: unknown[]): void =>
  tools.learn(exchange({ method: 'tools/list', params: cursor === undefined ? {} : { cursor }, owner }), {
    tools: listed,
  });

describe('the tools that a server listed', () => {
  it('are kept over all pages of a list, until the next one', () => {
    const tools = new ListedTools();
    page(tools, undefined, [{ name: 'a', title: 'A', annotations }, 1, { title: 'B' }]);
    page(tools, 'next', [{ name: 'b', title: 2, annotations: 'no' }]);
    expect(called(tools, 'a')).toEqual({ title: 'A', annotations });
    expect(called(tools, 'b')).toEqual({ title: undefined, annotations: undefined });
    page(tools, undefined, [{ name: 'c' }]);
    expect([called(tools, 'a'), called(tools, 'c')]).toEqual([undefined, {}]);
  });

  it.each([
    ['names', (at: number) => ({ name: String(at).padEnd(8_000, 'x') })],
    ['titles', (at: number) => ({ name: String(at), title: 'x'.repeat(8_000) })],
    ['annotations', (at: number) => ({ name: String(at), annotations: { note: 'x'.repeat(8_000) } })],
    ['values', (at: number) => ({ name: String(at), annotations: Object.fromEntries(Array(250).entries()) })],
  ])('are forgotten where they take more than 16 MiB of %s', (_what, tool) => {
    const tools = new ListedTools();
    const listed = (cursor: number, count: number): void =>
      page(
        tools,
        cursor === 0 ? undefined : 'next',
        Array.from({ length: count }, (_, at) => tool(cursor + at)),
      );
    listed(0, 500);
    expect(called(tools, tool(499).name)).toBeDefined();
    listed(500, 600);
    expect(called(tools, tool(499).name)).toBeUndefined();
    expect(called(tools, tool(1_099).name)).toBeUndefined();
    // The rest of the list is not kept either.
    listed(1_100, 1);
    expect(called(tools, tool(1_100).name)).toBeUndefined();
    listed(0, 1);
    expect(called(tools, tool(0).name)).toBeDefined();
  });
});
