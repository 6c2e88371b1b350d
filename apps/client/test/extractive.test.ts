import type { Context } from 'rxmcp';
import { image, text } from 'rxmcp';
import type { CreateMessageParams, CreateMessageResult } from 'rxmcp/sampling';
import { messageText } from 'rxmcp/sampling';
import { describe, expect, it } from 'vitest';
import { extractiveModel } from '../src/asked/extractive.js';

const story = [
  'Rivers shape valleys.',
  'My aunt likes tea.',
  'Valleys hold rivers, and rivers hold fish.',
  'Fish in rivers feed valleys.',
  'No one called.',
].join(' ');

function summary(said: string, more: Partial<CreateMessageParams> = {}, options = {}): CreateMessageResult {
  const messages = [{ role: 'user' as const, content: text(said) }];
  return extractiveModel(options)(
    { messages, maxTokens: 100, ...more },
    {} as Context,
  ) as CreateMessageResult;
}

describe('the extractive summarizer', () => {
  it('repeats the sentences with the most frequent words, in their order', () => {
    expect(summary(story, {}, { sentences: 2 })).toEqual({
      role: 'assistant',
      content: text('Valleys hold rivers, and rivers hold fish. Fish in rivers feed valleys.'),
      model: 'extractive-summarizer',
      stopReason: 'endTurn',
    });
    expect(extractiveModel().modelName).toBe('extractive-summarizer');
  });

  it('reads Chinese', () => {
    const said = '河流塑造山谷。我姑姑喜欢喝茶。山谷里有河流，河流里有鱼。';
    expect(messageText(summary(said, {}, { sentences: 1 }))).toBe('山谷里有河流，河流里有鱼。');
  });

  it('never returns more words than its limit', () => {
    const cut = summary(story, { maxTokens: 4 }, { sentences: 1 });
    expect(cut).toMatchObject({ content: text('Valleys hold rivers, and'), stopReason: 'maxTokens' });
  });

  it('ends before a stop sequence', () => {
    const cut = summary(story, { stopSequences: [', and', 'unseen', ''] }, { sentences: 1 });
    expect(cut).toMatchObject({ content: text('Valleys hold rivers'), stopReason: 'stopSequence' });
  });

  it('reads the last message of the user that has text, up to its limit', () => {
    const messages = [
      { role: 'user' as const, content: text('First.') },
      { role: 'assistant' as const, content: text('Hm?') },
      { role: 'user' as const, content: [image('AAAA', 'image/png'), text('Second.')] },
      { role: 'assistant' as const, content: text('Well.') },
    ];
    expect(messageText(summary('', { messages }))).toBe('Second.');
    expect(messageText(summary('abc def', {}, { maxChars: 3 }))).toBe('abc');
  });

  it.each(['```', '~~~', '````'])('leaves out code between lines of %s', (fence) => {
    const code = `${fence}ts\nrivers.fish(rivers, rivers);\n${fence}`;
    const said = `Rivers shape valleys.\n\n${code}\n\nMy aunt likes tea.\n\n${fence}\nrivers();`;
    expect(messageText(summary(said))).toBe('Rivers shape valleys. My aunt likes tea.');
    // There is nothing else to repeat.
    expect(messageText(summary(code, {}, { sentences: 9 }))).toContain('rivers.fish');
  });

  it('repeats nothing', () => {
    expect(messageText(summary('Rivers flow. Tea. Rivers  flow. Rivers flow.'))).toBe('Rivers flow. Tea.');
  });

  it('reports that there is no text', () => {
    const messages = [{ role: 'user' as const, content: image('AAAA', 'image/png') }];
    expect(() => summary('', { messages })).toThrow(/no text/);
  });
});
