import { describe, expect, it } from 'vitest';
import { citations, citedIn, wrongGuard, wrongTests } from './citations.js';
import { clauses, erasOf, pagesOutside, revisionNames } from './clause.js';
import { coverage, inWords } from './coverage.js';
import { pagesFolder, sentencesIn, sentencesOf } from './sentences.js';

const all = clauses();
const byId = new Map(all.map((clause) => [clause.id, clause]));
const cited = citations();

describe('the manifest of requirements', () => {
  it('names each once, in existing revisions', () => {
    expect(all.length).toBeGreaterThan(400);
    expect(all.map(({ id }) => id)).toEqual([...new Set(all.map(({ id }) => id))]);
    for (const clause of all) {
      expect([...revisionNames.keys()], clause.id).toEqual(expect.arrayContaining([...clause.revisions]));
      expect(clause.id.startsWith(`${clause.revisions[0]}/`), clause.id).toBe(true);
      expect(erasOf(clause), clause.id).not.toEqual([]);
      expect(clause.says, clause.id).not.toBe('');
      expect(clause.hashes.length, clause.id).toBeGreaterThan(0);
    }
  });

  it('states for each how it is shown, or why it is not', () => {
    const wrong = all.filter((clause) => {
      const ways = [
        cited.has(clause.id) || clause.shownBy !== undefined,
        clause.outside !== undefined,
        clause.unmet !== undefined,
        clause.untested !== undefined,
      ];
      return ways.filter(Boolean).length !== 1;
    });
    expect(wrong.map(({ id }) => id)).toEqual([]);
  });

  it.each([...cited])('has %s, which is cited', (id, files) => {
    expect([...byId.keys()], files.join(', ')).toContain(id);
  });

  it('names existing tests', () => {
    expect(all.flatMap(wrongTests)).toEqual([]);
  });

  it('names lines that exist once', () => {
    expect(all.map((clause) => wrongGuard(clause)).filter((wrong) => wrong !== undefined)).toEqual([]);
  });

  it('prints how much of each revision is covered', () => {
    for (const one of coverage(all)) {
      console.log(inWords(one));
      expect(one.shown + one.untested + one.unmet + one.outside).toBe(one.entries);
    }
  });
});

describe('the manifest against the pages', () => {
  const known = new Set(all.flatMap(({ hashes }) => hashes));

  it.each([...revisionNames.values()])('has every sentence of %s that states a requirement', (version) => {
    const sentences = sentencesOf(version, pagesFolder);
    if (sentences === undefined) {
      console.log(`${version}: no sentence compared: RXMCP_SPEC_PAGES names no folder with its pages`);
      return;
    }
    const inside = sentences.filter(({ page }) => ![...pagesOutside.keys()].some((one) => one.test(page)));
    const missing = inside.filter(({ hash }) => !known.has(hash));
    console.log(
      `${version}: ${inside.length} sentences compared, ${sentences.length - inside.length} on pages without entries`,
    );
    expect(missing.map(({ anchor, text }) => `${anchor}: ${text}`)).toEqual([]);
  });

  it('has no sentence that is on no page', () => {
    const pages = [...revisionNames.values()].map((version) => sentencesOf(version, pagesFolder));
    if (pages.some((page) => page === undefined)) return;
    const said = new Set(pages.flatMap((page) => (page ?? []).map(({ hash }) => hash)));
    expect([...known].filter((hash) => !said.has(hash))).toEqual([]);
  });
});

describe('reading', () => {
  it('finds the sentences that state a requirement, with their anchors', () => {
    const page = [
      '---\ntitle: T\n---\nA server **MUST** answer. It may rest.\n\n## Long `ids`, and more\n',
      'Clients **SHOULD**:\n\n- walk\n- run\n- swim, and **MUST NOT** sink\n',
      '```json\n{ "MUST": 1 }\n```\n',
    ].join('\n');
    expect(sentencesIn('p', page).map(({ anchor, level, text }) => [anchor, level, text])).toEqual([
      ['p', 'MUST', 'A server MUST answer.'],
      ['p#long-ids-and-more', 'SHOULD', 'Clients SHOULD: walk; run;'],
      ['p#long-ids-and-more', 'MUST NOT', 'swim, and MUST NOT sink'],
    ]);
  });

  it('treats equal text as the same sentence, whatever links and marks it carries', () => {
    const hash = (text: string): string | undefined => sentencesIn('p', text)[0]?.hash;
    expect(hash('It **MUST** see [this](/a/b).')).toBe(hash('It MUST see [this](/c).'));
    expect(hash('It MUST see this.')).not.toBe(hash('It MUST see that.'));
  });

  it('finds ids in the source of a test', () => {
    expect([...citedIn(`clause(['26/tools/3', '11/ping/1'], 'x')`)]).toEqual(['26/tools/3', '11/ping/1']);
    expect([...citedIn(`// 26/tools/3`)]).toEqual([]);
  });
});
