import { defineConfig } from 'tsup';
import { application } from '../../tsup.base.js';

export default defineConfig({
  ...application(['src/main.ts']),
  // The library of the WebSockets requires modules of Node, which an ES module has to be given the means for.
  banner: {
    js: "import { createRequire as requireFrom } from 'node:module'; const require = requireFrom(import.meta.url);",
  },
});
