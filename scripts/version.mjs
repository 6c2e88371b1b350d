// Turns the files in `.changeset` into the next version of all packages, and writes it into the source of core as well.
import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { publicPackages } from './public-packages.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const program = join(root, 'node_modules/@changesets/cli/bin.js');
const { status } = spawnSync(process.execPath, [program, 'version'], { cwd: root, stdio: 'inherit' });
if (status !== 0) process.exit(1);

const version = publicPackages()[0].manifest.version;
const file = join(root, 'packages/core/src/base/brand.ts');
const line = /^export const libraryVersion = '.*';$/m;
const text = readFileSync(file, 'utf8');
if (!line.test(text)) throw new Error(`${file} has no line "export const libraryVersion = '...';"`);
writeFileSync(file, text.replace(line, `export const libraryVersion = '${version}';`));
