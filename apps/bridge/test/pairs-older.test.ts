import { exhaustive } from '../../../vitest.exhaustive.js';
import { joins } from './joins.js';
import { across, covering } from './pairs.js';

// The newest revision of each era is tried in other files. Here each transport stands on either side once, with each revision in an
// exhaustive run, and otherwise with one of them.
const versions = ['2025-06-18', '2025-03-26', '2024-11-05'];
for (const [at, version] of versions.entries())
  across(
    version,
    covering(Object.keys(joins), at + 1).filter((_, pair) => exhaustive || pair % versions.length === at),
  );
