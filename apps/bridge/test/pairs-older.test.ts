import { joins } from './joins.js';
import { across, covering } from './pairs.js';

// More pairs are tried with the newest revision of each era; here each transport stands on either side once.
const versions = ['2025-06-18', '2025-03-26', '2024-11-05'];
for (const [at, version] of versions.entries()) across(version, covering(Object.keys(joins), at + 1));
