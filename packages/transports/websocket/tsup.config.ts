import { library } from '../../../tsup.base.js';

const entries = ['src/index.ts', 'src/node.ts', 'src/socket/ws.ts', 'src/socket/native.ts'];

// What `#socket` is says the reader's platform, when it runs or is bundled.
export default { ...library(entries, { platform: 'node' }), external: ['#socket'] };
