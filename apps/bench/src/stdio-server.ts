// node stdio-server.js CONTESTANT TOOLS: one contestant on standard input and output.
import type { Contestant } from './settings.js';
import { serveContestant } from './servers/serve.js';

const [contestant, tools] = process.argv.slice(2);
await serveContestant(contestant as Contestant, process.stdin, process.stdout, Number(tools));
