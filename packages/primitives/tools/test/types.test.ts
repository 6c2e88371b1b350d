import { describe, expect, it } from 'vitest';
import type { Fault } from '@rxmcp/core';
import { lastValueFrom, of } from 'rxjs';
import { orThrow, text, ToolError } from '../src/index.js';
import { toolInfoOf, toolResultOf } from '../src/types.js';

const inputSchema = { type: 'object' };
const link = { fault: () => undefined };
const data = 'iVBORw==';

describe('an entry of a list from the wire', () => {
  it('keeps unknown members', () => {
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
  it('keeps unknown members, and values that look empty', () => {
    const result = { content: [text('a')], structuredContent: null, isError: false, later: 1 };
    expect(toolResultOf('t', result, link)).toBe(result);
  });

  it('drops invalid annotations and members of links, which one fault reports', () => {
    const faults: Fault[] = [];
    const good = { ...text('a'), annotations: { priority: 1, later: 2 } };
    const content = [
      text('plain'),
      good,
      { type: 'image', data, mimeType: 'image/png', annotations: { priority: 7, audience: ['user'] } },
      { type: 'resource_link', uri: 'x:/a', name: 'a', size: -1, title: 3, annotations: 'all' },
    ];
    const result = toolResultOf(
      't',
      { content, isError: false },
      { fault: (fault) => void faults.push(fault) },
    );
    expect(result).toEqual({
      isError: false,
      content: [
        text('plain'),
        good,
        { type: 'image', data, mimeType: 'image/png', annotations: { audience: ['user'] } },
        { type: 'resource_link', uri: 'x:/a', name: 'a' },
      ],
    });
    expect(faults).toEqual([
      {
        code: 'MEMBER_DROPPED',
        message:
          '"tools/call": removed "annotations.priority" of "t": not of the type that the specification defines',
      },
    ]);
  });

  it('may omit the blocks with structured content', () => {
    expect(toolResultOf('t', { structuredContent: 0 }, link)).toEqual({ structuredContent: 0, content: [] });
  });

  it.each([
    [{}, '"content" is no array'],
    [{ content: 'a' }, '"content" is no array'],
    [{ content: [text('a'), { type: 'text' }] }, '"content[1]" is not a content block'],
    [{ content: [], isError: 'yes' }, '"isError" is no boolean'],
    [{ structuredContent: 0, isError: 'false' }, '"isError" is no boolean'],
    [
      { content: [text('a'), { type: 'image', data: 'no!', mimeType: 'image/png' }] },
      '"content[1]" is of the type "image", whose "data" is not base64',
    ],
    [
      { content: [{ type: 'audio', data, mimeType: 'wav' }] },
      '"content[0]" is of the type "audio", whose "mimeType" "wav" is not a media type such as "image/png"',
    ],
  ])('is refused: %j', (result, problem) => {
    expect(() => toolResultOf('t', result, link)).toThrow(
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
