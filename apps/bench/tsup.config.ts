import { application } from '../../tsup.base.js';

const entries = [
  'main',
  'echo-server',
  'cpu-probe',
  'stdio-server',
  'net-server',
  'memory-run',
  'long-line-run',
  'await-run',
  'helpers-run',
  'auth-run',
  'auth-server',
  'charge-run',
  'charge-server',
  'least-call',
];
const started = ['floor', 'v2', 'rxmcp', 'packages'].map((name) => `./src/start/servers/${name}.ts`);
const imported = application(started, { external: [/^[^./]/] });

export default [
  {
    ...application(
      entries.map((name) => `src/${name}.ts`),
      { external: [/^@modelcontextprotocol\//] },
    ),
    clean: ['!start/**'],
  },
  { ...imported, outDir: 'dist/start/imported' },
  // As users bundle for Node.js: one file, with CommonJS where a package has it.
  { ...application(started), outDir: 'dist/start/bundled', platform: 'node', splitting: false },
];
