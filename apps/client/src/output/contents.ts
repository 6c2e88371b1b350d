import type { ContentBlock, ResourceContents } from 'rxmcp';
import type { ToolResult } from 'rxmcp/tools';
import type { Page } from './page.js';

/** The result of a tool for a person. */
export function shownResult({ content, structuredContent, isError }: ToolResult, page: Page): string {
  const blocks = content.map((block) => shownBlock(block, page));
  const isText = content.some(({ type }) => type === 'text');
  if (structuredContent !== undefined && !isText) blocks.push(page.json(structuredContent));
  if (isError === true) blocks.unshift(page.styled('the tool failed:', 'red'));
  return blocks.length === 0 ? 'an empty result' : blocks.join('\n');
}

/** One block of content for a person. */
export function shownBlock(block: ContentBlock, page: Page): string {
  switch (block.type) {
    case 'text':
      return page.quote(block.text);
    case 'image':
    case 'audio':
      return shownMedia(block.data, block.mimeType, page);
    case 'resource_link':
      return page.line(`link: ${block.uri} ${block.title ?? block.name}`);
    case 'resource':
      return shownContents(block.resource, page);
    default:
      return page.json(block);
  }
}

/** Contents of a resource for a person. */
export function shownContents({ uri, text, blob = '', mimeType }: ResourceContents, page: Page): string {
  const name = page.line(mimeType === undefined ? uri : `${uri} (${mimeType})`, 'bold');
  return `${name}\n${text === undefined ? shownMedia(blob, mimeType, page) : page.quote(text)}`;
}

/** Contents of a resource for one row. */
export function contentsInLine(contents: readonly ResourceContents[]): string {
  return contents.map(({ text, mimeType = 'binary' }) => text ?? `(${mimeType})`).join(' ');
}

function shownMedia(data: string, mimeType: string | undefined, page: Page): string {
  const bytes = Math.floor((data.length * 3) / 4);
  return `${page.line(`${mimeType ?? 'binary'}, about ${bytes} bytes:`)}\n${page.media.show(data, mimeType)}`;
}
