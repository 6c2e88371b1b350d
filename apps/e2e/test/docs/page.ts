import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { repository } from '../repository.js';

/** One block of code of a page. */
export interface Block {
  /** The prose since the block before. */
  readonly before: string;
  readonly language: string;
  /** What the opening line says besides, such as `title`. */
  readonly says: Readonly<Record<string, string>>;
  readonly text: string;
}

/** A page of docs. */
export interface Page {
  readonly name: string;
  readonly text: string;
  readonly blocks: readonly Block[];
}

/** The folder of the pages. */
export const docs = join(repository, 'docs');

/** Returns the guides: all pages of the folder but the comparison, which has no code. */
export function pages(): Page[] {
  const names = readdirSync(docs).filter((name) => name.endsWith('.md') && name !== 'features.md');
  return names.sort().map(pageNamed);
}

/** The page of that name. */
export function pageNamed(name: string): Page {
  const text = readFileSync(join(docs, name), 'utf8');
  return { name, text, blocks: blocksOf(text) };
}

/** The blocks of a page, in their order. */
export function blocksOf(text: string): Block[] {
  const fences = text.matchAll(/([\s\S]*?)^```(\w*)(.*)\n([\s\S]*?)^```$/gm);
  return [...fences].map(([, before = '', language = '', info = '', body = '']) => ({
    before,
    language,
    says: Object.fromEntries(
      [...info.matchAll(/ (\w+)=(?:"([^"]+)"|'([^']+)')/g)].map(([, name = '', double, single]) => [
        name,
        double ?? single ?? '',
      ]),
    ),
    text: body,
  }));
}

/** The titled blocks, by their titles. */
export function titled(blocks: readonly Block[]): Map<string, string> {
  return new Map(
    blocks.flatMap(({ says, text }) => (says['title'] === undefined ? [] : [[says['title'], text]])),
  );
}
