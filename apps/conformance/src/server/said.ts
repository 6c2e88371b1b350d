import type { CreateMessageResult } from 'rxmcp/sampling';

/** The texts of a completion. */
export function saidBy({ content }: CreateMessageResult): string {
  return [content]
    .flat()
    .flatMap((block) => (block.type === 'text' ? [block.text] : []))
    .join('\n');
}
