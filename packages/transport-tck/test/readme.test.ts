import type { Connection } from '@rxmcp/transport';
import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { exhaustive } from '../../../vitest.exhaustive.js';
import { verifyApplicableRules } from '../src/index.js';
import { portRig } from './readme/port-fixture.js';
import { relayTo } from '../src/node.js';
import type { Tcp } from './readme/tcp-module.js';

/*
 * The transports of docs/writing-a-transport.md, as its readers copy them. They are separate files, so that the linter
 * reads them too.
 */
interface Port {
  overPort(port: MessagePort): Connection;
}
const lines = await loaded<Tcp>('tcp.mjs');
const { overPort } = await loaded<Port>('port.mjs');

test.each(['port.mjs', 'tcp.mjs'])('the guide shows %s as it is verified here', (name) => {
  const shown = text('../../../docs/writing-a-transport.md')
    .split('```js title="../packages/transport-tck/test/readme/' + name + '"\n')[1]
    ?.split('```\n')[0];
  expect(shown).toBe(text(`./readme/${name}`));
});

// Without a relay: some of the rules that run with one.
describe.runIf(exhaustive)('lines over TCP', async () => {
  if (!exhaustive) return;
  await verifyApplicableRules({
    test,
    async serve(acceptor) {
      const { port, close } = await lines.serveTcp(acceptor);
      return { transport: lines.tcp(port), close };
    },
  });
});

describe('lines over TCP and a relay', async () => {
  await verifyApplicableRules({
    test,
    async serve(acceptor) {
      const served = await lines.serveTcp(acceptor);
      const relay = await relayTo(served, { frame: (line) => Buffer.concat([line, Buffer.from('\n')]) });
      return {
        transport: lines.tcp(relay.port),
        relay,
        async close() {
          await served.close();
          await relay.close();
        },
      };
    },
  });
});

describe('a MessagePort', async () => {
  await verifyApplicableRules({ test, serve: async (acceptor) => portRig(acceptor, overPort) });
});

function text(path: string): string {
  return readFileSync(new URL(path, import.meta.url), 'utf8');
}

async function loaded<T>(name: string): Promise<T> {
  return (await import(new URL(`./readme/${name}`, import.meta.url).href)) as T;
}
