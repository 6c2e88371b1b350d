import { library } from '../../tsup.base.js';

export default library([
  'src/index.ts',
  'src/memory.ts',
  'src/stdio.ts',
  'src/resources.ts',
  'src/prompts.ts',
  'src/tools.ts',
  'src/sampling.ts',
  'src/roots.ts',
  'src/roots/node.ts',
  'src/elicitation.ts',
  'src/logging.ts',
  'src/transport.ts',
  'src/jsonrpc.ts',
]);
