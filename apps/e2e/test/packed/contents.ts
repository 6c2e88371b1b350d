import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { PublicPackage } from '../public-packages.js';

/** What users get: the unpacked tarball of a package. */
export interface Contents {
  readonly manifest: PackedManifest;
  /** The text of each file by its path, such as `dist/index.js`. */
  readonly files: ReadonlyMap<string, string>;
  readonly tarballBytes: number;
  readonly unpackedBytes: number;
}

/** The package.json of a tarball. */
export interface PackedManifest {
  readonly name: string;
  readonly description?: string;
  readonly keywords?: readonly string[];
  readonly homepage?: string;
  readonly bugs?: { readonly url: string };
  readonly repository?: { readonly type: string; readonly url: string; readonly directory: string };
  readonly license?: string;
  readonly engines?: { readonly node?: string };
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly peerDependencies?: Readonly<Record<string, string>>;
  readonly publishConfig?: { readonly access?: string; readonly provenance?: boolean };
}

/** Unpacks what `npm run pack` made into a new folder below another. */
export function contentsOf({ directory }: PublicPackage, parent: string): Contents {
  const tarball = join(directory, '.packed', 'package.tgz');
  const folder = mkdtempSync(join(parent, 'contents-'));
  execFileSync('tar', ['-xzf', tarball, '--strip-components=1'], { cwd: folder });
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => statSync(join(folder, name)).isFile())
    .map((name) => name.replaceAll('\\', '/'));
  const files = new Map(names.map((name) => [name, readFileSync(join(folder, name), 'utf8')]));
  return {
    manifest: JSON.parse(files.get('package.json') ?? '') as PackedManifest,
    files,
    tarballBytes: statSync(tarball).size,
    unpackedBytes: names.reduce((sum, name) => sum + statSync(join(folder, name)).size, 0),
  };
}
