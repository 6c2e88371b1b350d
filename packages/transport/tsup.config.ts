import { library } from '../../tsup.base.js';

export default library(
  ['src/index.ts', 'src/guard.ts', 'src/internal.ts', 'src/node.ts', 'src/node/internal.ts', 'src/sdk.ts'],
  { platform: 'node' },
);
