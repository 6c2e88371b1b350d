import { StdioClientTransport as V2 } from '@modelcontextprotocol/client/stdio';
import { StdioClientTransport as V1 } from '@modelcontextprotocol/sdk/client/stdio.js';
import { fromSdkTransport, type SdkTransport } from '@rxmcp/transport/sdk';
import { type Programs, programs } from './fixtures/bundled.js';
import type { Subject } from './subject.js';

let bundled: Programs | undefined;

export const stdio: readonly Subject[] = [
  child('stdio v1', 'v1', (file) => new V1({ command: process.execPath, args: [file] })),
  child('stdio v2', 'v2', (file) => new V2({ command: process.execPath, args: [file] })),
];

/** Makes the programs that are dialled; gives what removes them. */
export async function bundle(): Promise<() => Promise<void>> {
  bundled = await programs();
  return bundled.remove;
}

interface Child extends SdkTransport {
  readonly pid: number | null;
}

function child(name: string, version: 'v1' | 'v2', make: (file: string) => Child): Subject {
  return {
    name,
    remote: true,
    async serve() {
      const file = bundled?.[version] ?? '';
      let newest: Child | undefined;
      return {
        transport: fromSdkTransport(() => (newest = make(file))),
        close: () => Promise.resolve(),
        cut() {
          const pid = newest?.pid;
          if (typeof pid === 'number') process.kill(pid, 'SIGKILL');
        },
      };
    },
  };
}
