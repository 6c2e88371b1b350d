// The licence texts of the packages in a bundle.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * Returns the names, versions and licence texts of the packages that a bundle contains.
 * @param {{ inputs: Record<string, unknown> }} metafile of esbuild
 * @param {string} base the folder that the paths of the metafile are relative to
 * @throws an Error for a package without a licence text
 */
export function thirdPartyLicenses({ inputs }, base) {
  const folders = new Set();
  for (const path of Object.keys(inputs)) {
    const [, folder] = /^(.*node_modules\/(?:@[^/]+\/)?[^/]+)\//.exec(path) ?? [];
    if (folder !== undefined) folders.add(join(base, folder));
  }
  return [...folders]
    .map(entryOf)
    .sort()
    .join(`\n${'-'.repeat(80)}\n\n`);
}

function entryOf(folder) {
  const { name, version, license } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  const texts = readdirSync(folder).filter((file) => /^(licen[cs]e|notice)/i.test(file));
  if (texts.length === 0) throw new Error(`${name} ${version} is bundled and has no licence text`);
  const read = texts.sort().map((file) => readFileSync(join(folder, file), 'utf8').trim());
  return `${name} ${version} (${license})\n\n${read.join('\n\n')}\n`;
}
