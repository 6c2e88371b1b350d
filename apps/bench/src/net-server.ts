// node net-server.js CONTESTANT TRANSPORT TOOLS ERA: one contestant on a free port of this machine.
import type { Contestant, NetTransport } from './settings.js';
import type { BenchEra } from './requests.js';
import { serveNet } from './servers/serve-net.js';

const [contestant, transport, tools, era] = process.argv.slice(2);
const { url } = await serveNet({
  contestant: contestant as Contestant,
  transport: transport as NetTransport,
  tools: Number(tools),
  era: era as BenchEra,
});
console.error(`listening ${url}`);
