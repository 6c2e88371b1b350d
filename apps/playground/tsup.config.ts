import { defineConfig } from 'tsup';
import { noteBuilt } from '../../scripts/built.mjs';
import { application } from '../../tsup.base.js';

/** Cleaning the folder would remove the page, which is built at the same time. */
const program = { ...application(['src/main.ts']), clean: false };

/** The page: one script for browsers, and the files next to it. */
const page = defineConfig({
  entry: { page: 'src/page/main.ts' },
  outDir: 'dist/page',
  publicDir: 'src/page/static',
  format: ['esm'],
  platform: 'browser',
  target: 'es2022',
  minify: true,
  dts: false,
  noExternal: [/.*/],
  splitting: false,
  // Noted at the end of each of the two builds, so that the later one notes all files.
  onSuccess: async () => noteBuilt(process.cwd()),
});

export default [program, page];
