/* Prints an entry to fill in for each sentence that has none. Run it from apps/e2e with RXMCP_SPEC_PAGES set. */
import type { Clause } from './clause.js';
import { clauses, pagesOutside, revisionNames } from './clause.js';
import { pagesFolder, sentencesOf } from './sentences.js';

const known = new Set(clauses().flatMap(({ hashes }) => hashes));
const fresh = new Map<string, Clause & { readonly revisions: string[] }>();

for (const [name, version] of revisionNames) {
  for (const { page, anchor, level, number, hash, text } of sentencesOf(version, pagesFolder) ?? []) {
    if (known.has(hash) || [...pagesOutside.keys()].some((one) => one.test(page))) continue;
    const before = fresh.get(hash);
    if (before !== undefined) {
      if (!before.revisions.includes(name)) before.revisions.push(name);
      continue;
    }
    const id = `${name}/${page.split('/').at(-1)}/${number}`;
    fresh.set(hash, { id, level, revisions: [name], anchor, binds: 'both', says: '', hashes: [hash] });
    console.error(`${id}: ${text}`);
  }
}
console.log(JSON.stringify([...fresh.values()], undefined, 2));
