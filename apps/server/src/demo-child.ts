// The server of the demo as a child process: demo-child.js FOLDER [BROKEN-PRIMITIVE]
import process from 'node:process';
import { serveStdio } from 'rxmcp/stdio';
import { isPrimitive, servedFolder } from './demo/served.js';

const [folder = '.', broken = ''] = process.argv.slice(2);
serveStdio(await servedFolder(folder, isPrimitive(broken) ? broken : undefined));
