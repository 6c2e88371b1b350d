// The server of the demo as a worker; it is given the folder, and the primitive that is broken.
import { parentPort, workerData } from 'node:worker_threads';
import { serveMessagePort } from 'rxmcp/message-port';
import { servedFolder } from './demo/served.js';
import type { WorkerData } from './demo/links.js';

const { folder, broken } = workerData as WorkerData;
if (parentPort === null) throw new Error('this file is the worker of the demo, and no program');
serveMessagePort(await servedFolder(folder, broken), parentPort);
