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
  /** All that is not `src` is for tests. */
  readonly area: 'src' | 'test';
  readonly lines: number;
  readonly text: string;
}

/** A package without its sources. */
export interface PackageFolder {
  /** Inside the repository, such as `packages/transports/stdio`. */
  readonly folder: string;
  readonly manifest: Manifest;
}

export interface Package extends PackageFolder {
  readonly files: readonly SourceFile[];
}

export type Workspace = readonly Package[];

/** The packages as they are on disk. Parses every source, which takes seconds. */
export function readWorkspace(): Workspace {
  return packageFolders().map(({ folder, manifest }) => packageOf(folder, manifest, sourcesOf(folder)));
}

/** The same packages without their sources. */
export function packageFolders(): readonly PackageFolder[] {
  const folders = ['packages', 'packages/transports', 'packages/primitives', 'apps'].flatMap((parent) =>
    readdirSync(join(repository, parent)).map((name) => `${parent}/${name}`),
  );
  return folders
    .filter((folder) => existsSync(join(repository, folder, 'package.json')))
    .map((folder) => {
      const manifest = readFileSync(join(repository, folder, 'package.json'), 'utf8');
      return { folder, manifest: JSON.parse(manifest) as Manifest };
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

/** Of every folder, so that no new one is forgotten; what is installed, built or made by a run is no source. */
function sourcesOf(folder: string): [string, string][] {
  const top = join(repository, folder);
  return readdirSync(top, { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && !/^(\..*|node_modules|dist|coverage)$/.test(entry.name))
    .flatMap(({ name }) => sourcesIn(top, name));
}

function sourcesIn(top: string, area: string): [string, string][] {
  return readdirSync(join(top, area), { recursive: true, encoding: 'utf8' })
    .filter((path) => /\.[cm]?[jt]sx?$/.test(path) && !/(^|\/)(node_modules|dist)\//.test(path))
    .map((path) => [`${area}/${path}`, readFileSync(join(top, area, path), 'utf8')]);
}

function sourceFile(path: string, text: string): SourceFile {
  const lines = text.replace(/\n$/, '').split('\n').length;
  return { path, area: path.startsWith('src/') ? 'src' : 'test', lines, text, ...readSyntax(path, text) };
}
