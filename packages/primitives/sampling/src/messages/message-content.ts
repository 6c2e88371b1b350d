import type { CreateMessageResult, SamplingContent, SamplingMessage } from './types.js';

/** A message or completion in the form that every revision knows where that is possible: one block stands alone. */
export function withContentArray<T extends SamplingMessage | CreateMessageResult>(message: T): T {
  const { content } = message;
  return Array.isArray(content) && content.length === 1
    ? { ...message, content: content[0] as SamplingContent }
    : message;
}

/** Returns the content blocks of a message or completion. */
export function contentBlocks({
  content,
}: Pick<SamplingMessage | CreateMessageResult, 'content'>): readonly SamplingContent[] {
  return Array.isArray(content) ? (content as readonly SamplingContent[]) : [content as SamplingContent];
}

/** Returns the text of a completion or message; other content is omitted. */
export function messageText(message: Pick<SamplingMessage | CreateMessageResult, 'content'>): string {
  return contentBlocks(message)
    .flatMap((block) => (block.type === 'text' ? [block.text] : []))
    .join('\n');
}
