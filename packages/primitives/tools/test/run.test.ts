import { describe, expect, it } from 'vitest';
import { concat, finalize, NEVER, of, throwError, timer } from 'rxjs';
import type { JsonObject, HandlerResult } from '@rxmcp/core';
import { logItem, RxmcpError, progressItem, RpcError } from '@rxmcp/core';
import { image, offerTools, text, tool, ToolError } from '../src/index.js';
import { call, callTool } from './calling.js';
import { foreignPerson, person, schema, slowPerson } from './schemas.js';

const one = (handler: () => HandlerResult<never>) => offerTools([tool('t', {}, handler)]);
const hello = { content: [{ type: 'text', text: 'hello' }] };

describe('what a handler returns becomes a result', () => {
  it.each<[string, () => unknown, unknown]>([
    ['a text', () => 'hello', hello],
    ['a block', () => text('hello'), hello],
    [
      'blocks',
      () => [text('hello'), image('AA==', 'image/png')],
      { content: [text('hello'), image('AA==', 'image/png')] },
    ],
    ['no blocks', () => [], { content: [] }],
    [
      'a whole result',
      () => ({ ...hello, structuredContent: 0, _meta: { a: 1 } }),
      { ...hello, structuredContent: 0, _meta: { a: 1 } },
    ],
    ['a promise', () => Promise.resolve('hello'), hello],
    ['an observable', () => of(progressItem(1), logItem('info', ''), text('hello')), hello],
    [
      'an async iterable',
      async function* () {
        yield progressItem(1);
        yield 'hello';
      },
      hello,
    ],
    ['its first result only', () => of('hello', 'again'), hello],
  ])('%s', async (_, handler, expected) => {
    expect(await callTool(one(handler as () => HandlerResult<never>), 't')).toEqual(expected);
  });

  it('sends the reports of a stream', async () => {
    const called = call(
      one(() => of(progressItem(1), progressItem(2), 'x') as never),
      'tools/call',
      { name: 't' },
    );
    await called.end;
    expect(called.reports).toBe(2);
  });

  it.each<[string, () => unknown]>([
    ['undefined', () => undefined],
    ['null', () => null],
    ['a promise of nothing', () => Promise.resolve()],
  ])('not a result: %s', async (_, handler) => {
    await expect(callTool(one(handler as never), 't')).rejects.toMatchObject({ code: 'NO_RESULT' });
  });

  it.each<[string, () => unknown]>([
    ['a number', () => 1],
    ['an object', () => ({ sum: 1 })],
    ['a bad block', () => ({ content: [{ type: 'text' }] })],
    ['a mixed array', () => Promise.resolve([text('a'), 'b'])],
  ])('an invalid result: %s', async (_, handler) => {
    const called = call(one(handler as never), 'tools/call', { name: 't' });
    expect(await called.end).toMatchObject({ isError: true });
    expect(called.faults).toMatchObject([
      { code: 'HANDLER_FAILED', message: expect.stringContaining('`output` schema') },
    ]);
  });
});

describe('an invalid picture or sound', () => {
  const picture = { type: 'image', data: 'no!', mimeType: 'image/png' };
  const sound = { type: 'audio', data: 'AA==', mimeType: 'wav' };
  it.each<[string, () => unknown, string]>([
    ['as a block', () => picture, '"content[0]", which is of the type "image", whose "data" is not base64'],
    [
      'among others',
      async () => [text('a'), sound],
      '"content[1]", which is of the type "audio", whose "mimeType"',
    ],
    ['in a result', () => of({ content: [picture] }), '"content[0]"'],
    ['in one that failed', () => ({ content: [sound], isError: true }), '"content[0]"'],
    ['made here', () => image('no!', 'image/png'), 'a picture: "data" is not base64'],
  ])('%s is never sent, and a fault names it', async (_, handler, told) => {
    const called = call(one(handler as never), 'tools/call', { name: 't' });
    expect(await called.end).toMatchObject({ isError: true, content: [{ type: 'text' }] });
    expect(called.faults).toMatchObject([
      { code: 'HANDLER_FAILED', cause: expect.any(TypeError) as unknown },
    ]);
    expect(String((called.faults[0] as { cause?: unknown }).cause)).toContain(told);
  });
});

describe('arguments', () => {
  for (const [kind, input] of [
    ['checked at once', person],
    ['checked later', slowPerson],
    ['checked by another realm', foreignPerson],
  ] as const) {
    it(`${kind}: arrive as the schema returns them`, async () => {
      let got: unknown;
      const offer = offerTools([tool('t', { input }, (args) => ((got = args), 'ok'))]);
      await callTool(offer, 't', { name: 'Ada', extra: 1 });
      expect(got).toEqual({ name: 'Ada' });
    });

    it(`${kind}: the error names path and problem, and nothing runs`, async () => {
      let ran = false;
      const offer = offerTools([tool('t', { input }, () => ((ran = true), 'ok'))]);
      await expect(callTool(offer, 't', {})).rejects.toMatchObject({
        code: 'INVALID_ARGUMENTS',
        message: 'invalid arguments for tool "t": name: must be a string',
      });
      expect(ran).toBe(false);
    });
  }

  it('keeps the error short, however much is wrong', async () => {
    const issues = Array.from({ length: 5_000 }, (_, at) => ({
      message: 'wrong',
      path: ['x'.repeat(1_000), at],
    }));
    const input = schema<JsonObject>({ check: () => issues as never, json: { type: 'object' } });
    const refused: unknown = await callTool(offerTools([tool('t', { input }, () => '')]), 't').catch(
      (e: unknown) => e,
    );
    expect((refused as Error).message.length).toBeLessThan(2_200);
    expect((refused as Error).message).toContain('4990 more');
  });

  it('a schema that throws is a failure of the tool', async () => {
    for (const validate of [() => Promise.reject(new Error('secret')), thrower(new Error('secret'))]) {
      const input = { '~standard': { ...person['~standard'], validate } } as typeof person;
      const result = await callTool(offerTools([tool('t', { input }, () => '')]), 't');
      expect(result.isError).toBe(true);
      expect(JSON.stringify(result)).not.toContain('secret');
    }
  });
});

describe('an error of a handler', () => {
  const ways: [string, (error: unknown) => unknown][] = [
    ['at once', (error) => thrower(error)()],
    ['as a promise', (error) => Promise.reject(error)],
    [
      'as an observable',
      (error) =>
        concat(
          of(progressItem(1)),
          throwError(() => error),
        ),
    ],
    [
      'as an iterable',
      // eslint-disable-next-line require-yield
      async function* (error) {
        throw error;
      },
    ],
    ['inside subscribe', (error) => ({ subscribe: thrower(error) })],
  ];
  for (const [way, fail] of ways) {
    it(`${way}: a ToolError is sent as its author wrote it`, async () => {
      const result = await callTool(
        one(() => fail(new ToolError('no such city')) as never),
        't',
      );
      expect(result).toEqual({ content: [text('no such city')], isError: true });
    });

    it(`${way}: RpcError and RxmcpError are responses`, async () => {
      for (const error of [new RpcError(7, 'mine'), new RxmcpError('ASK_REJECTED', 'no')]) {
        await expect(
          callTool(
            one(() => fail(error) as never),
            't',
          ),
        ).rejects.toBe(error);
      }
    });

    it(`${way}: anything else is a general text with the number of its fault`, async () => {
      const error = new Error('password=hunter2');
      const called = call(
        one(() => fail(error) as never),
        'tools/call',
        { name: 't' },
      );
      const result = await called.end;
      const { reference } = called.faults[0]!;
      expect(called.faults).toEqual([
        { code: 'HANDLER_FAILED', message: 'tool "t" failed: password=hunter2', cause: error, reference },
      ]);
      expect(reference).toMatch(/^[0-9a-f]{8}$/);
      expect(result).toEqual({ content: [text(`Tool "t" failed (reference ${reference}).`)], isError: true });
    });
  }

  it('may be any value, also one without a text', async () => {
    for (const thrown of [undefined, null, Symbol('s'), Object.create(null)]) {
      const called = call(one(thrower(thrown)), 'tools/call', { name: 't' });
      expect(await called.end).toMatchObject({ isError: true });
      expect(called.faults).toMatchObject([{ code: 'HANDLER_FAILED', cause: thrown }]);
    }
  });

  it('after the tear-down is ignored', async () => {
    let ended = false;
    const work = NEVER.pipe(finalize(() => (ended = true)));
    const subscribed = call(
      one(() => work),
      'tools/call',
      { name: 't' },
    );
    subscribed.stop();
    expect(ended).toBe(true);
    const promised = call(
      one(() => Promise.reject(new Error('aborted'))),
      'tools/call',
      { name: 't' },
    );
    promised.stop();
    await new Promise((resolve) => timer(0).subscribe(resolve));
    expect(promised.faults).toEqual([]);
  });
});

function thrower(error: unknown): () => never {
  return () => {
    throw error;
  };
}
