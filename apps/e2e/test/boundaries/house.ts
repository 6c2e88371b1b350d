import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { repository } from '../repository.js';
import { readSyntax, type Syntax } from './syntax.js';

export interface Manifest {
  readonly name: string;
  readonly version?: string;
  readonly private?: boolean;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly devDependencies?: Readonly<Record<string, string>>;
  readonly peerDependencies?: Readonly<Record<string, string>>;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
  readonly exports?: Readonly<Record<string, string | Readonly<Record<string, string>>>>;
  /** Names that begin with `#`: a file of the package for each platform. */
  readonly imports?: Readonly<Record<string, Readonly<Record<string, Readonly<Record<string, string>>>>>>;
}

export interface SourceFile extends Syntax {
  /** Inside the package, such as `src/index.ts`. */
  readonly path: string;
  readonly area: 'src' | 'test';
  readonly lines: number;
}

export interface Package {
  /** Inside the repository, such as `packages/transports/stdio`. */
  readonly folder: string;
  readonly manifest: Manifest;
  readonly files: readonly SourceFile[];
}

export type House = readonly Package[];

/** The packages as they are on disk. */
export function readHouse(): House {
  const folders = ['packages', 'packages/transports', 'packages/primitives', 'apps'].flatMap((parent) =>
    readdirSync(join(repository, parent)).map((name) => `${parent}/${name}`),
  );
  return folders
    .filter((folder) => existsSync(join(repository, folder, 'package.json')))
    .map((folder) => {
      const manifest = JSON.parse(readFileSync(join(repository, folder, 'package.json'), 'utf8')) as Manifest;
      const files = [
        ...sourcesIn(folder, 'src'),
        ...sourcesIn(folder, 'test'),
        ...sourcesIn(folder, 'guides'),
      ];
      return packageOf(folder, manifest, files);
    });
}

/** A made-up package, for showing that a rule can fail. */
export function packageOf(
  folder: string,
  manifest: Manifest,
  sources: readonly (readonly [path: string, text: string])[],
): Package {
  return { folder, manifest, files: sources.map(([path, text]) => sourceFile(path, text)) };
}

function sourcesIn(folder: string, area: string): [string, string][] {
  const top = join(repository, folder, area);
  if (!existsSync(top)) return [];
  return readdirSync(top, { recursive: true, encoding: 'utf8' })
    .filter((path) => /\.(ts|tsx|mts|js|mjs|cjs)$/.test(path) && !/(^|\/)(node_modules|dist)\//.test(path))
    .map((path) => [`${area}/${path}`, readFileSync(join(top, path), 'utf8')]);
}

function sourceFile(path: string, text: string): SourceFile {
  const lines = text.replace(/\n$/, '').split('\n').length;
  return { path, area: path.startsWith('src/') ? 'src' : 'test', lines, ...readSyntax(path, text) };
}
