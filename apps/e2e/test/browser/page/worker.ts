// A server in a worker.
import { serveMessagePort } from 'rxmcp/message-port';
import { telling } from './telling.js';

serveMessagePort(telling(), globalThis);
