import { defineClient, defineServer, once } from '@rxmcp/core';
import { memory } from '@rxmcp/memory';
import { describe, expect, it, onTestFinished } from 'vitest';
import * as z from 'zod';
import { fromOpenAiToolCall, offerTools, textOf, toOpenAiTools, tool, tools } from '../src/index.js';
import type { OpenAiToolCall, ToolInfo } from '../src/index.js';

const info = (name: string, more: Partial<ToolInfo> = {}): ToolInfo => ({
  name,
  inputSchema: { type: 'object' },
  ...more,
});
const call = (name: string, text = '{}'): OpenAiToolCall => ({ function: { name, arguments: text } });

describe('tools for the API of OpenAI', () => {
  it.each(['2026-07-28', '2025-11-25'])(
    '%s: the tools of a server, and the call of a model',
    async (version) => {
      const add = tool(
        'math.add',
        { description: 'Adds.', input: z.object({ a: z.number(), b: z.number() }) },
        ({ a, b }) => String(a + b),
      );
      const link = memory();
      const offers = [offerTools([add])];
      const handle = link.serve(defineServer({ info: { name: 'demo', version: '1.0.0' }, offers }));
      const client = defineClient({ info: { name: 'client', version: '1.0.0' }, versions: [version] });
      const remote = await client.connect(link);
      onTestFinished(async () => {
        await remote.close();
        await handle.close();
      });
      const list = await once(tools(remote).list());
      expect(toOpenAiTools(list)).toEqual([
        {
          type: 'function',
          function: { name: 'math_add', description: 'Adds.', parameters: list[0]?.inputSchema },
        },
      ]);
      const asked = fromOpenAiToolCall(call('math_add', '{"a":1,"b":2}'), list);
      expect(textOf(await once(tools(remote).call(asked.name, asked.arguments)))).toBe('3');
    },
  );

  it('a tool without arguments lists properties all the same', () => {
    expect(toOpenAiTools([info('ping')])).toEqual([
      { type: 'function', function: { name: 'ping', parameters: { type: 'object', properties: {} } } },
    ]);
  });

  it('names that the API refuses are changed, differ from all others, and are found again', () => {
    const long = 'x'.repeat(70);
    const names = ['a.b', 'a_b', 'a/b', 'a_b_2', long, `${long}y`, 'käse', '😀'];
    const list = names.map((name) => info(name));
    const sent = toOpenAiTools(list).map((one) => one.function.name);
    expect(sent).toEqual([
      'a_b_3',
      'a_b',
      'a_b_4',
      'a_b_2',
      'x'.repeat(64),
      `${'x'.repeat(62)}_2`,
      'k_se',
      '__',
    ]);
    expect(sent.every((name) => /^[a-zA-Z0-9_-]{1,64}$/.test(name))).toBe(true);
    expect(sent.map((name) => fromOpenAiToolCall(call(name), list).name)).toEqual(names);
  });

  it('without a list the name is that of the call', () => {
    expect(fromOpenAiToolCall(call('a_b', '{"x":[1]}'))).toEqual({ name: 'a_b', arguments: { x: [1] } });
    expect(fromOpenAiToolCall(call('unknown'), [info('known')])).toEqual({ name: 'unknown', arguments: {} });
  });

  it.each(['', ' \n'])('a model that passes %j means no arguments', (text) => {
    expect(fromOpenAiToolCall(call('ping', text)).arguments).toEqual({});
  });

  it.each([
    ['{"a":', /^the arguments of the tool call "ping" are not JSON: /],
    ['[1]', 'the arguments of the tool call "ping" are not a JSON object'],
    ['null', 'the arguments of the tool call "ping" are not a JSON object'],
    ['"text"', 'the arguments of the tool call "ping" are not a JSON object'],
  ])('arguments that are no object are INVALID_ARGUMENTS: %s', (text, message) => {
    const convert = (): unknown => fromOpenAiToolCall(call('ping', text));
    expect(convert).toThrow(message);
    expect(convert).toThrow(expect.objectContaining({ code: 'INVALID_ARGUMENTS', outcome: 'not-sent' }));
  });

  it.each([undefined, {}, { name: 'ping', arguments: '{}' }, { function: { name: 'ping', arguments: {} } }])(
    'what is no tool call is a TypeError: %j',
    (value) => {
      expect(() => fromOpenAiToolCall(value as never)).toThrow('expected an entry of `message.tool_calls`');
    },
  );
});
