import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { repository } from '../repository.js';

/** What each deprecated primitive is replaced by, in the words of its README. */
const replacements = [
  ['sampling', /servers that call a model provider themselves/],
  ['roots', /tool parameters and resource uris/],
  ['logging', /stderr on stdio and OpenTelemetry elsewhere/],
] as const;

describe.each(replacements)('the README of %s', (name, replacement) => {
  const path = join(repository, 'packages', 'primitives', name, 'README.md');
  const text = readFileSync(path, 'utf8').replaceAll(/\s+/g, ' ');

  it('states that 2026-07-28 deprecates it, for how long it stays, and what replaces it', () => {
    expect(text).toMatch(new RegExp(`2026-07-28 deprecates ${name} .*at least twelve months`));
    expect(text).toMatch(replacement);
  });

  it('states in which revisions it works', () => {
    expect(text).toMatch(/## Revisions Works in every revision\./);
  });
});
