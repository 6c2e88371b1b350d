import { StdioClientTransport as V2 } from '@modelcontextprotocol/client/stdio';
import { StdioClientTransport as V1 } from '@modelcontextprotocol/sdk/client/stdio.js';
import { fromSdkTransport, type SdkTransport } from '@rxmcp/transport/sdk';
import { bundled } from '../../../../vitest.bundle.js';
import type { Subject } from './subject.js';

export const stdio: readonly Subject[] = [
  child('stdio v1', 'v1', (file) => new V1({ command: process.execPath, args: [file] })),
  child('stdio v2', 'v2', (file) => new V2({ command: process.execPath, args: [file] })),
];

interface Child extends SdkTransport {
  readonly pid: number | null;
}

function child(name: string, version: 'v1' | 'v2', make: (file: string) => Child): Subject {
  return {
    name,
    remote: true,
    async serve() {
      const file = await bundled(new URL(`fixtures/echo-${version}.ts`, import.meta.url));
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
