import { writeFileSync } from 'node:fs';
import { measureEntryPoints, measurePrograms } from './measure.js';
import { page, pageOf } from './page.js';

writeFileSync(page, pageOf(await measurePrograms(), await measureEntryPoints()));
