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

export default application(
  entries.map((name) => `src/${name}.ts`),
  { external: [/^@modelcontextprotocol\//] },
);
