import { describe, expect, it } from 'vitest';
import { readHouse } from './house.js';
import { rules } from './rules.js';

describe('boundaries', () => {
  const house = readHouse();

  it('reads every package and its sources', () => {
    const folders = house.map((pkg) => pkg.folder);
    expect(folders).toEqual(
      expect.arrayContaining([
        'packages/core',
        'packages/transports/stdio',
        'packages/primitives/tools',
        'apps/e2e',
      ]),
    );
    expect(house.filter((pkg) => pkg.folder !== 'apps/e2e' && pkg.files.length === 0)).toEqual([]);
  });

  for (const [name, rule] of Object.entries(rules)) {
    it(name, () => {
      expect(rule(house)).toEqual([]);
    });
  }
});
