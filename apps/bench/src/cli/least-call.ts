// The least script that starts a server over stdio, calls its tool and prints the result.
import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { initialized, opening } from '../requests.js';

const [command = '', ...args] = process.argv.slice(2);
const server = spawn(command, args, { stdio: ['pipe', 'pipe', 'inherit'] });
const send = (message: string): unknown => server.stdin.write(`${message}\n`);
const params = { name: 'echo', arguments: { text: 'hello' } };
send(opening('legacy', 0)[0]);
createInterface({ input: server.stdout }).on('line', (line) => {
  const { id, result } = JSON.parse(line) as { id: number; result: unknown };
  if (id === 0) {
    send(initialized[0]);
    send(JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params }));
    return;
  }
  console.log(JSON.stringify(result));
  server.stdin.end();
});
