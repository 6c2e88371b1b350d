import { errorsPage } from './errors.js';
import { limitsPage } from './limits.js';
import { reliabilityPage } from './reliability.js';

/** The generated pages, by their paths from the root of the repository. */
export const generatedPages: Readonly<Record<string, () => string>> = {
  'docs/reference/errors.md': () => `${errorsPage()}\n`,
  'docs/reference/limits.md': () => `${limitsPage()}\n`,
  'docs/reference/reliability.md': () => `${reliabilityPage()}\n`,
};
