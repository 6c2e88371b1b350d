import { RxmcpError } from 'rxmcp';
import {
  contentBlocks,
  type CreateMessageParams,
  type CreateMessageResult,
  type SamplingModel,
} from 'rxmcp/sampling';
import { sentencesOf, wordsOf } from './text-segments.js';

const modelName = 'extractive-summarizer';

/** Options of {@link extractiveModel}. */
interface ExtractiveOptions {
  /** At most this many sentences. @default 3 */
  readonly sentences?: number;
  /** Most characters that are read; the rest is ignored. @default 200_000 */
  readonly maxChars?: number;
}

/**
 * Makes a substitute for a language model. It repeats the sentences of the last user message whose words are most
 * frequent in it, in their order, each once and without fenced code. It follows no instructions, and its model name is
 * `extractive-summarizer`; its tokens are words. Rejects with INVALID_PARAMS when there is no text.
 */
export function extractiveModel(options: ExtractiveOptions = {}): SamplingModel {
  const { sentences = 3, maxChars = 200_000 } = options;
  return Object.assign(
    (params: CreateMessageParams): CreateMessageResult => {
      const picked = extract(lastText(params).slice(0, maxChars), sentences);
      const { text, stopReason } = limited(picked, params);
      return { role: 'assistant', content: { type: 'text', text }, model: modelName, stopReason };
    },
    { modelName },
  );
}

function lastText({ messages }: CreateMessageParams): string {
  const text = messages
    .filter((message) => message.role === 'user')
    .map((message) => contentBlocks(message).flatMap((block) => (block.type === 'text' ? [block.text] : [])))
    .findLast((texts) => texts.length > 0)
    ?.join('\n');
  if (text === undefined || text.trim() === '') {
    throw new RxmcpError('INVALID_PARAMS', `${modelName}: the request holds no text of the user`);
  }
  return text;
}

/** The text without fenced code; the whole text if there is nothing else. */
function proseOf(text: string): string {
  let fence: string | undefined;
  const lines = text.split('\n').filter((line) => {
    const [marker = ''] = /^(`{3,}|~{3,})/.exec(line.trimStart()) ?? [];
    const isCode = fence !== undefined || marker !== '';
    if (fence === undefined) fence = marker === '' ? undefined : marker;
    else if (marker.startsWith(fence)) fence = undefined;
    return !isCode;
  });
  const prose = lines.join('\n');
  return prose.trim() === '' ? text : prose;
}

function extract(text: string, count: number): string {
  const all = sentencesOf(proseOf(text)).map((sentence) => sentence.replace(/\s+/g, ' ').trim());
  const sentences = [...new Set(all)].filter((sentence) => sentence !== '');
  const words = sentences.map((sentence) => wordsOf(sentence).map(({ segment }) => segment.toLowerCase()));
  const seen = new Map<string, number>();
  for (const word of words.flat()) seen.set(word, (seen.get(word) ?? 0) + 1);
  return words
    .map((own, at) => ({
      at,
      weight: own.reduce((sum, word) => sum + (seen.get(word) ?? 0), 0) / (own.length + 4),
    }))
    .sort((a, b) => b.weight - a.weight || a.at - b.at)
    .slice(0, count)
    .sort((a, b) => a.at - b.at)
    .map(({ at }) => sentences[at])
    .join(' ');
}

function limited(
  text: string,
  { maxTokens, stopSequences = [] }: CreateMessageParams,
): { readonly text: string; readonly stopReason: string } {
  const over = wordsOf(text)[maxTokens];
  const end = over === undefined ? text.length : over.index;
  const stops = stopSequences.flatMap((stop) =>
    stop !== '' && text.includes(stop) ? [text.indexOf(stop)] : [],
  );
  const stop = Math.min(...stops);
  if (stop < end) return { text: text.slice(0, stop).trimEnd(), stopReason: 'stopSequence' };
  return { text: text.slice(0, end).trimEnd(), stopReason: over === undefined ? 'endTurn' : 'maxTokens' };
}
