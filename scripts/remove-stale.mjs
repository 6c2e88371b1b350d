// Removes what builds of other sources left in each `dist`.
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { builtFolders, staleFiles } from './built.mjs';

for (const folder of builtFolders()) for (const file of staleFiles(folder)) rmSync(join(folder, file));
