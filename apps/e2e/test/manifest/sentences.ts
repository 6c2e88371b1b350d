import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** How strongly a sentence binds; the strongest word that stands in it. */
export type Level = 'MUST NOT' | 'MUST' | 'SHOULD NOT' | 'SHOULD';

/** One sentence of the specification that states a requirement. */
export interface Sentence {
  /** Such as `server/tools`. */
  readonly page: string;
  /** Such as `server/tools#capabilities`. */
  readonly anchor: string;
  readonly level: Level;
  /** Counts the sentences of a page, from 1. */
  readonly number: number;
  /** The first 8 digits of a digest of its words: two revisions that say the same have the same. */
  readonly hash: string;
  readonly text: string;
}

/** Where the pages lie, a folder per revision, as `docs/specification` of the specification's repository has them. */
export const pagesFolder: string | undefined = process.env.RXMCP_SPEC_PAGES;

const levels: readonly Level[] = ['MUST NOT', 'MUST', 'SHOULD NOT', 'SHOULD'];

/** The sentences of all pages of a revision that bind; undefined where its pages are not to be had. */
export function sentencesOf(version: string, folder: string | undefined): Sentence[] | undefined {
  const root = join(folder ?? '', version);
  if (folder === undefined || !existsSync(root)) return undefined;
  return readdirSync(root, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.mdx'))
    .sort()
    .flatMap((file) =>
      sentencesIn(file.replace(/(\/index)?\.mdx$/, ''), readFileSync(join(root, file), 'utf8')),
    );
}

/** The sentences of one page that bind. */
export function sentencesIn(page: string, source: string): Sentence[] {
  const found: Sentence[] = [];
  let anchor = page;
  for (const block of blocksOf(source)) {
    const heading = /^#+ +(.*)$/.exec(block);
    if (heading !== null) anchor = `${page}#${slug(heading[1] as string)}`;
    else {
      for (const text of split(plain(block))) {
        const level = levels.find((word) => new RegExp(`\\b${word}\\b`).test(text));
        if (level === undefined) continue;
        found.push({ page, anchor, level, number: found.length + 1, hash: digest(text), text });
      }
    }
  }
  return found;
}

/** Headings, paragraphs, points of lists and rows of tables; what shows code or pictures is left out. */
function blocksOf(source: string): string[] {
  const prose = source
    .replace(/^---\n[^]*?\n---\n/, '')
    .replace(/^ *(```+)[^]*?^ *\1 *$/gm, '\n')
    .replace(/\{\/\*[^]*?\*\/\}/g, '')
    .replace(/^ *\[[^\]]+\]: .*$/gm, '')
    .replace(/^ *<\/?[A-Za-z][^>]*>/gm, '\n')
    .replace(/^(#+ .*)$/gm, '\n$1\n');
  const blocks: string[] = [];
  for (const raw of prose.split(/\n\s*\n|\n(?=\s*(?:[-*]|\d+\.)\s)|\n(?=\s*\|)/)) {
    const block = raw.replace(/\s+/g, ' ').trim();
    const before = blocks.at(-1) ?? '';
    // The points of a list belong to the sentence that binds them, unless they bind on their own.
    if (point.test(block) && binds.test(lastOf(before)) && !own.test(block)) {
      blocks[blocks.length - 1] = `${before} ${block.replace(point, '')};`;
    } else if (block !== '') blocks.push(block);
  }
  return blocks;
}

const point = /^(?:[-*]|\d+\.) +/;
const binds = /\b(?:MUST|SHOULD)\b/;
const own = /\b(?:MUST|SHOULD|MAY)\b/;

/** The end of a block, if it is open for points: after a colon, or after points that it has taken. */
function lastOf(block: string): string {
  return /[:;]$/.test(block) ? (split(plain(block)).at(-1) ?? '') : '';
}

function plain(block: string): string {
  return block
    .replace(point, '')
    .replace(/\[([^\]]*)\](?:\([^)]*\)|\[[^\]]*\])/g, '$1')
    .replace(/\*\*|<\/?[a-z]+[^>]*>/g, '')
    .replace(/\b(i\.e|e\.g|etc)\. /g, '$1.\u00a0');
}

function split(text: string): string[] {
  return text.split(/(?<=[.!?][)"`]?) +(?=["`(A-Z\d])/).map((sentence) => sentence.trim());
}

function slug(heading: string): string {
  return plain(heading)
    .toLowerCase()
    .replace(/[^\w\- ]/g, '')
    .trim()
    .replace(/ /g, '-');
}

function digest(text: string): string {
  const words = text.toLowerCase().replace(/[^a-z0-9$/.-]+/g, ' ');
  return createHash('sha256').update(words.trim()).digest('hex').slice(0, 8);
}
