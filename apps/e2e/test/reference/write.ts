import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { repository } from '../repository.js';
import { generatedPages } from './pages.js';

/* Writes the generated pages: `pnpm --filter @rxmcp/app-e2e run reference`. */
for (const [path, page] of Object.entries(generatedPages)) {
  mkdirSync(dirname(join(repository, path)), { recursive: true });
  writeFileSync(join(repository, path), page());
}
