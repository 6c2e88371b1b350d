import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { repository } from '../repository.js';

/** One source file that a package ships. */
export interface Source {
  /** The npm name of its package. */
  readonly pkg: string;
  /** The path from the root of the repository. */
  readonly path: string;
  readonly text: string;
}

/** Returns the sources of all public packages, in the order of their paths. */
export function sources(): readonly Source[] {
  const names = new Map<string, string>();
  return tracked('packages/**/src/**/*.ts').map((path) => {
    const folder = path.slice(0, path.indexOf('/src/'));
    const pkg = names.get(folder) ?? packageIn(folder);
    names.set(folder, pkg);
    return { pkg, path, text: readFileSync(join(repository, path), 'utf8') };
  });
}

function packageIn(folder: string): string {
  return (JSON.parse(readFileSync(join(repository, folder, 'package.json'), 'utf8')) as { name: string })
    .name;
}

/** Returns the files that match a glob: those in the index and new ones that git does not ignore. */
export function tracked(glob: string): readonly string[] {
  const files = execFileSync('git', ['ls-files', '-co', '--exclude-standard', `:(glob)${glob}`], {
    cwd: repository,
    encoding: 'utf8',
  });
  return [...new Set(files.split('\n').filter((path) => path !== ''))].sort();
}

/** Returns the text of a comment on one line, with its links as code. */
export function plain(comment: string): string {
  return comment
    .replaceAll(/^\s*\* ?/gm, '')
    .replaceAll(/\{@link (\w+)\}/g, '`$1`')
    .replaceAll(/\s+/g, ' ')
    .trim();
}

/** Returns the rows as a Markdown table, with the bars in cells escaped. */
export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]): string =>
    `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`;
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n');
}
