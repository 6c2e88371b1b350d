import { defineConfig } from 'tsup';
import { application } from '../../tsup.base.js';

/** The program `rxmcp` is the client app in one file; nothing imports it, so the package stays free of the app. */
export default defineConfig({
  ...application([]),
  entry: { rxmcp: '../../apps/client/src/main.ts' },
  outDir: 'dist/bin',
  sourcemap: false,
});
