import { library } from '../../tsup.base.js';

export default library(['src/index.ts', 'src/guard.ts', 'src/node.ts', 'src/sdk.ts'], { platform: 'node' });
