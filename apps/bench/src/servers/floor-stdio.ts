import type { Readable, Writable } from 'node:stream';
import { responseTo } from './floor-response.js';

/** The least code that answers as the others do: split, parse, one switch, stringify, one write per chunk. */
export function serve(input: Readable, output: Writable, tools: readonly object[]): void {
  let rest = '';
  input.setEncoding('utf8');
  input.on('data', (chunk: string) => {
    rest += chunk;
    if (!chunk.includes('\n')) return;
    const lines = rest.split('\n');
    rest = lines.pop() ?? '';
    let out = '';
    for (const line of lines) {
      const { id, method, params } = JSON.parse(line);
      if (id !== undefined)
        out += JSON.stringify({ jsonrpc: '2.0', id, ...responseTo(method, params, tools) }) + '\n';
    }
    if (out !== '') output.write(out);
  });
}
