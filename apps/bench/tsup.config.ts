import { application } from '../../tsup.base.js';

const entries = [
  'main',
  'echo-server',
  'cpu-probe',
  'stdio-server',
  'net-server',
  'memory-run',
  'long-line-run',
];

export default {
  ...application(
    entries.map((name) => `src/${name}.ts`),
    { external: [/^@modelcontextprotocol\//] },
  ),
  // `ws` is CommonJS and requires what Node has built in.
  banner: {
    js: "import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url);",
  },
};
