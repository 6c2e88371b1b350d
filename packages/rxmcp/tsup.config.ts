import { library } from '../../tsup.base.js';

const entries = [
  'src/index.ts',
  'src/interceptors.ts',
  'src/memory.ts',
  'src/stdio.ts',
  'src/stdio/net.ts',
  'src/http.ts',
  'src/http/node.ts',
  'src/http/fetch.ts',
  'src/sse.ts',
  'src/sse/node.ts',
  'src/sse/fetch.ts',
  'src/websocket.ts',
  'src/websocket/node.ts',
  'src/message-port.ts',
  'src/url.ts',
  'src/resources.ts',
  'src/prompts.ts',
  'src/tools.ts',
  'src/sampling.ts',
  'src/roots.ts',
  'src/roots/node.ts',
  'src/elicitation.ts',
  'src/completion.ts',
  'src/logging.ts',
  'src/json-schema.ts',
  'src/transport.ts',
  'src/transport/guard.ts',
  'src/transport/node.ts',
  'src/transport/sdk.ts',
  'src/jsonrpc.ts',
  'src/programs/node.ts',
  'src/programs/none.ts',
];

// What `#programs` is says the reader's platform, when it runs or is bundled.
export default { ...library(entries), external: ['#programs'] };
