import { describe, expect, it } from 'vitest';
import { lastValueFrom, of } from 'rxjs';
import { orThrow, text, ToolError } from '../src/index.js';
import { toolInfoOf, toolResultOf } from '../src/types.js';

const inputSchema = { type: 'object' };

describe('an entry of a list from the wire', () => {
  it('keeps members that nobody knows', () => {
    const entry = { name: 'a', inputSchema, title: 'A', later: { x: 1 } };
    expect(toolInfoOf(entry)).toBe(entry);
  });

  it.each([null, 'a', [], {}, { name: 'a' }, { name: 1, inputSchema }, { name: 'a', inputSchema: [] }])(
    'is unusable: %j',
    (entry) => {
      expect(toolInfoOf(entry)).toBeUndefined();
    },
  );

  it('loses optional members of a wrong type, and nothing else', () => {
    const entry = {
      name: 'a',
      inputSchema,
      title: null,
      description: 1,
      icons: {},
      annotations: [],
      _meta: 1,
      x: null,
    };
    expect(toolInfoOf(entry)).toEqual({ name: 'a', inputSchema, x: null });
  });
});

describe('a result from the wire', () => {
  it('keeps members that nobody knows, and values that look like nothing', () => {
    const result = { content: [text('a')], structuredContent: null, isError: false, later: 1 };
    expect(toolResultOf('t', result)).toBe(result);
  });

  it('may leave the blocks out beside structured content', () => {
    expect(toolResultOf('t', { structuredContent: 0 })).toEqual({ structuredContent: 0, content: [] });
  });

  it.each([
    [{}, '"content" is no array'],
    [{ content: 'a' }, '"content" is no array'],
    [{ content: [text('a'), { type: 'text' }] }, '"content[1]" is no block of content'],
    [{ content: [], isError: 'yes' }, '"isError" is no boolean'],
  ])('is refused: %j', (result, problem) => {
    expect(() => toolResultOf('t', result)).toThrow(
      expect.objectContaining({ code: 'INVALID_RESULT', message: `tools/call "t": ${problem}` }),
    );
  });
});

describe('orThrow', () => {
  it('lets a good result pass', async () => {
    const result = { content: [text('a')] };
    expect(await lastValueFrom(of(result).pipe(orThrow()))).toBe(result);
  });

  it('makes an error of the other kind, which carries the result', async () => {
    const result = { content: [text('no'), text('city')], isError: true, _meta: { a: 1 } };
    const error: unknown = await lastValueFrom(of(result).pipe(orThrow())).catch((caught: unknown) => caught);
    expect(ToolError.is(error)).toBe(true);
    expect(error).toMatchObject({
      name: 'ToolError',
      code: 'TOOL_FAILED',
      message: 'no\ncity',
      outcome: 'answered',
    });
    expect((error as ToolError).result).toBe(result);
  });
});
