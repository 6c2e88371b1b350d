import { library } from '../../tsup.base.js';

const entries = [
  ...['src/index.ts', 'src/guard.ts', 'src/internal.ts', 'src/node.ts', 'src/node/internal.ts', 'src/sdk.ts'],
  ...['src/fetch/node.ts', 'src/fetch/global.ts'],
];

// What `#fetch` is says the reader's platform, when it runs or is bundled.
export default { ...library(entries, { platform: 'node' }), external: ['#fetch'] };
