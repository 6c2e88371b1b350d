// Runs the scenarios of a client, one at a time, for the suite, which starts `scenario.sh` for each. Prints the port where that connects.
// Ends as the clients do: once it no longer listens nothing may be left open.
import { createServer, type Socket } from 'node:net';
import type { AddressInfo } from 'node:net';
import process from 'node:process';
import { inspect } from 'node:util';
import { scenarioOf } from '../../src/client/scenarios.js';
import { readSetting } from '../../src/client/setting.js';

let last = Promise.resolve();

const server = createServer((socket) => {
  let text = '';
  // The suite leaves a scenario that takes too long, and continues with the next one.
  socket.on('error', () => undefined);
  socket.setEncoding('utf8').on('data', (chunk: string) => {
    text += chunk;
    const [scenario, version, context, url, rest] = text.split('\n');
    if (rest !== undefined) last = last.then(() => answer(socket, url ?? '', { scenario, version, context }));
  });
});

type Variables = Readonly<Record<'scenario' | 'version' | 'context', string | undefined>>;

/** Runs a scenario. The first line of the response is the exit code, the others are the error. */
async function answer(socket: Socket, url: string, { scenario, version, context }: Variables): Promise<void> {
  try {
    const setting = readSetting([url], {
      MCP_CONFORMANCE_SCENARIO: scenario,
      MCP_CONFORMANCE_PROTOCOL_VERSION: version || undefined,
      MCP_CONFORMANCE_CONTEXT: context || undefined,
    });
    const act = setting && scenarioOf(setting.scenario);
    if (act === undefined) throw new Error(`no handler for the scenario "${scenario ?? ''}"`);
    await act(setting as NonNullable<typeof setting>);
    socket.end('0\n');
  } catch (error) {
    socket.end(`1\n${inspect(error)}\n`);
  }
}

server.listen(0, '127.0.0.1', () => {
  console.error(`listening ${String((server.address() as AddressInfo).port)}`);
});
process.once('SIGTERM', () => server.close());
