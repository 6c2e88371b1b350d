// Serves one of the named descriptions on its own standard streams: NAME OPTIONS-AS-JSON. Faults go to stderr as JSON.
import type { JsonObject } from 'rxmcp';
import { serveStdio } from 'rxmcp/stdio';
import { serverNamed } from './servers/index.js';

const [name = '', options = '{}'] = process.argv.slice(2);
const server = serverNamed(name, JSON.parse(options) as JsonObject);
server.faults$.subscribe(({ code, message }) => console.error(JSON.stringify({ code, message })));
serveStdio(server);
