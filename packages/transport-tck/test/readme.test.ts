import type { Connection } from '@rxmcp/transport';
import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { aboutConnections } from '../../../vitest.connections.js';
import { exhaustive } from '../../../vitest.exhaustive.js';
import { verifyApplicableRules } from '../src/index.js';
import { portRig } from './readme/port-fixture.js';
import { relayTo } from '../src/node.js';
import { rules } from '../src/rules/index.js';
import type { Tcp } from './readme/tcp-module.js';
import { generousTimeouts } from '../../../vitest.kit.js';

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

test('the first transport of the guide has at most 20 lines, with both sides', () => {
  const source = text('../../../apps/example-transports/src/lines-over-tcp.ts');
  expect(source.trim().split('\n').length).toBeLessThanOrEqual(20);
  expect(source).toContain('export const tcp');
  expect(source).toContain('export async function serveTcp');
});

test('the picture of the guide has every part of a transport, and who implements it', () => {
  const [, picture = ''] = text('../../../docs/writing-a-transport.md').split('```mermaid\n');
  const parts = [...picture.split('```')[0]!.matchAll(/participant \w+ as (.+)/g)].map(([, name]) => name);
  expect(parts).toEqual([
    'Client',
    'Transport (yours)',
    'Connection',
    'Channel (yours)',
    'Channel (yours)',
    'Connection',
    'ConnectionSet',
    'ConnectionHandler (a server)',
  ]);
  for (const call of [
    'dial',
    'accept',
    'start(receiver)',
    'start(sink)',
    'send(text)',
    'sink.text',
    'receiver.received',
    'sink.closed',
    'receiver.closed',
  ])
    expect(picture).toContain(call);
});

test('each rule has an anchor on the page that its messages name', () => {
  const page = text('../../../docs/reference/transport-rules.md');
  for (const { id } of rules) expect(page).toContain(`<a name="${id.replace('/', '-')}"></a>`);
});

// Without a relay: some of the rules that run with one.
describe.runIf(exhaustive)('lines over TCP', async () => {
  if (!exhaustive) return;
  await verifyApplicableRules({
    test,
    options: generousTimeouts,
    async serve(acceptor) {
      const { port, close } = await lines.serveTcp(acceptor);
      return { transport: lines.tcp(port), close };
    },
  });
});

// An exhaustive run does not repeat what `npm test` has.
if (!exhaustive)
  describe('lines over TCP and a relay', async () => {
    await verifyApplicableRules({
      test,
      options: generousTimeouts,
      async serve(acceptor) {
        const served = await lines.serveTcp(acceptor);
        const relay = await relayTo(served, { frame: (line) => Buffer.concat([line, Buffer.from('\n')]) });
        return {
          transport: lines.tcp(relay.port),
          relay,
          pausesReading: true,
          async close() {
            await served.close();
            await relay.close();
          },
        };
      },
    });
  });

// The tests of @rxmcp/message-port have all rules.
describe('a MessagePort', async () => {
  await verifyApplicableRules({
    test: aboutConnections(test, /^(?:limits|garbage)/),
    options: generousTimeouts,
    serve: async (acceptor) => portRig(acceptor, overPort),
  });
});

function text(path: string): string {
  return readFileSync(new URL(path, import.meta.url), 'utf8');
}

async function loaded<T>(name: string): Promise<T> {
  return (await import(new URL(`./readme/${name}`, import.meta.url).href)) as T;
}
