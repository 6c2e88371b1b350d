import { basename } from 'node:path';
import { application } from '../../tsup.base.js';

/** Each is a program of its own, all of them next to each other in `dist`. */
const programs = [
  'main',
  'echo-server',
  'stdio-server',
  'net-server',
  'auth/auth-run',
  'auth/auth-server',
  'await/await-run',
  'charge/charge-gateway',
  'charge/charge-run',
  'charge/charge-server',
  'children/cpu-probe',
  'children/long-line-run',
  'cli/least-call',
  'helpers/helpers-run',
  'memory/memory-run',
].map((path) => [basename(path), `src/${path}.ts`] as const);
const started = ['floor', 'v2', 'rxmcp', 'packages'].map((name) => `./src/start/servers/${name}.ts`);
const imported = application(started, { external: [/^[^./]/] });

export default [
  {
    ...application(Object.fromEntries(programs), { external: [/^@modelcontextprotocol\//] }),
    clean: ['!start/**'],
  },
  { ...imported, outDir: 'dist/start/imported' },
  // As users bundle for Node.js: one file, with CommonJS where a package has it.
  { ...application(started), outDir: 'dist/start/bundled', platform: 'node', splitting: false },
];
