import type { JsonObject } from '@rxmcp/core';
import { audio, image, text } from '@rxmcp/core';
import { describe, expect, it } from 'vitest';
import type { CreateMessageParams } from '../../src/index.js';
import { openAiModel } from '../../src/index.js';
import { completionOf } from '../../src/openai/openai-response.js';
import { chatRequest } from '../../src/openai/openai-chat.js';

const tools = [
  { name: 'weather', description: 'Of a city.', inputSchema: { type: 'object' }, title: 'Weather' },
  { name: 'time', inputSchema: { type: 'object' } },
];
const asked = (more: Partial<CreateMessageParams> = {}): CreateMessageParams => ({
  messages: [{ role: 'user', content: text('Rain?') }],
  maxTokens: 9,
  ...more,
});
const use = (id: string, input: JsonObject = {}) =>
  ({ type: 'tool_use', id, name: 'weather', input }) as const;
const result = (toolUseId: string, more: object = {}) =>
  ({ type: 'tool_result', toolUseId, content: [text('rain')], ...more }) as const;

describe('tools in the format of a chat endpoint', () => {
  it('are functions', () => {
    expect(chatRequest(asked({ tools, toolChoice: { mode: 'required' } }), 'm', 'max_tokens')).toMatchObject({
      tools: [
        {
          type: 'function',
          function: { name: 'weather', description: 'Of a city.', parameters: { type: 'object' } },
        },
        { type: 'function', function: { name: 'time', parameters: { type: 'object' } } },
      ],
      tool_choice: 'required',
    });
  });

  it.each([asked(), asked({ tools: [], toolChoice: { mode: 'none' } })])(
    'are left out where the request has none',
    (params) => {
      const body = chatRequest(params, 'm', 'max_tokens');
      expect(Object.keys(body).sort()).toEqual(['max_tokens', 'messages', 'model']);
    },
  );

  it('are used and answered in turns of their own', () => {
    const messages: CreateMessageParams['messages'] = [
      { role: 'user', content: text('Rain?') },
      { role: 'assistant', content: [text('I look.'), use('a', { city: 'Paris' }), use('b')] },
      { role: 'user', content: [result('a'), result('b', { isError: true })] },
      { role: 'assistant', content: use('c') },
      { role: 'user', content: result('c', { content: [], structuredContent: { mm: 3 } }) },
    ];
    const call = (id: string, args: string) => ({
      id,
      type: 'function',
      function: { name: 'weather', arguments: args },
    });
    expect(chatRequest(asked({ messages, tools }), 'm', 'max_tokens').messages).toEqual([
      { role: 'user', content: 'Rain?' },
      { role: 'assistant', content: 'I look.', tool_calls: [call('a', '{"city":"Paris"}'), call('b', '{}')] },
      { role: 'tool', tool_call_id: 'a', content: 'rain' },
      { role: 'tool', tool_call_id: 'b', content: 'Error: rain' },
      { role: 'assistant', content: null, tool_calls: [call('c', '{}')] },
      { role: 'tool', tool_call_id: 'c', content: '{"mm":3}' },
    ]);
  });

  it('answer in text: invalid content is named', () => {
    const content = [
      image('AAAA', 'image/png'),
      { type: 'resource_link', uri: 'a://b', name: 'b' } as const,
      { type: 'resource', resource: { uri: 'c://d', text: 'inside' } } as const,
    ];
    const messages: CreateMessageParams['messages'] = [
      { role: 'assistant', content: use('a') },
      { role: 'user', content: result('a', { content }) },
    ];
    expect(chatRequest(asked({ messages }), 'm', 'max_tokens').messages).toMatchObject([
      {},
      { role: 'tool', content: '[image, image/png]\n[resource a://b]\ninside' },
    ]);
  });

  it('leave sound as it is', () => {
    const messages = [{ role: 'user' as const, content: audio('AAAA', 'audio/mpeg') }];
    expect(chatRequest(asked({ messages }), 'm', 'max_tokens').messages).toEqual([
      { role: 'user', content: [{ type: 'input_audio', input_audio: { data: 'AAAA', format: 'mp3' } }] },
    ]);
  });
});

describe('a completion that uses tools', () => {
  const answered = (message: object, finish_reason = 'tool_calls') =>
    completionOf({ choices: [{ message, finish_reason }] }, 'm', []);
  const call = (args: unknown, id?: string) => ({
    id,
    type: 'function',
    function: { name: 'weather', arguments: args },
  });

  it.each([
    [{ content: null, tool_calls: [call('{"a":1}', 'x')] }, use('x', { a: 1 })],
    [{ content: '', tool_calls: [call('', 'x')] }, use('x')],
    [
      { content: 'Wait.', tool_calls: [call('{}', 'x'), call('{}', 'y')] },
      [text('Wait.'), use('x'), use('y')],
    ],
    [{ tool_calls: [call({ a: 1 }), call(undefined, '')] }, [use('call_0', { a: 1 }), use('call_1')]],
  ])('is read from %j', (message, content) => {
    const completion = { role: 'assistant', content, model: 'm', stopReason: 'toolUse' };
    expect(answered(message)).toEqual(completion);
    expect(answered(message, 'stop')).toEqual(completion);
  });

  it.each([
    { tool_calls: [{}] },
    { tool_calls: [call('{', 'x')] },
    { tool_calls: [call('[1]', 'x')] },
    { tool_calls: [] },
  ])('rejects an invalid one in %j', (message) => {
    expect(() => answered(message)).toThrow(
      expect.objectContaining({ code: 'MODEL_INVALID_RESPONSE' }) as Error,
    );
  });
});

describe('the model that a server prefers', () => {
  it('is one of those at the endpoint, or the one of its description', () => {
    const model = openAiModel({ baseUrl: 'http://localhost/v1', model: 'small', models: ['large-2'] });
    expect(model.modelFor?.(asked({ modelPreferences: { hints: [{ name: 'large' }] } }))).toBe('large-2');
    expect(model.modelFor?.(asked({ modelPreferences: { hints: [{ name: 'huge' }] } }))).toBe('small');
    expect(model.modelName).toBe('small');
  });

  it('is weighed where its traits are given', () => {
    const model = openAiModel({
      baseUrl: 'http://localhost/v1',
      model: { name: 'small', cost: 0.1 },
      models: [{ name: 'large', intelligence: 1, aliases: ['opus'] }],
    });
    expect(model.modelFor?.(asked({ modelPreferences: { intelligencePriority: 1 } }))).toBe('large');
    expect(model.modelFor?.(asked({ modelPreferences: { costPriority: 1 } }))).toBe('small');
    expect(model.modelFor?.(asked({ modelPreferences: { hints: [{ name: 'claude-opus' }] } }))).toBe('large');
    expect(model.modelName).toBe('small');
  });
});
