import { library } from '../../tsup.base.js';

export default library(['src/index.ts', 'src/browser.ts', 'src/node.ts', 'src/server.ts'], {
  platform: 'node',
});
