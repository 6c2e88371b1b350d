import { type BridgeOptions, openBridge } from '@rxmcp/app-bridge/bridge';
import { defineClient } from 'rxmcp';
import packageJson from 'rxmcp/package.json' with { type: 'json' };
import type { Transport } from 'rxmcp/transport';
import type { Program } from '../command.js';
import { describeError } from '../failure.js';
import { nextStep } from '../next-step.js';
import { type Target, transportTo } from '../target/target.js';
import { serveUntilEnd } from './serve-until-end.js';

/** Joins clients with one server. Resolves with the exit code. */
export async function runBridge(
  target: Target,
  options: Omit<BridgeOptions, 'isCommand' | 'onFault'>,
  program: Program,
): Promise<number> {
  const { tell } = program.terminal;
  const transport = await transportTo(target, (line) => tell(`server: ${line}`), program.env);
  const opening = openBridge(transport, {
    ...options,
    isCommand: target.kind === 'command',
    onFault: ({ code, message }) => tell(`fault ${code}: ${message}`),
  });
  void opening.then(
    ({ urls }) => (urls.length === 0 ? undefined : checked(transport, program)),
    () => undefined,
  );
  return serveUntilEnd(opening, program);
}

/** Connects with the server once, and says what is wrong: a client that comes later only learns that it is not there. */
async function checked(transport: Transport, { signal, terminal: { tell } }: Program): Promise<void> {
  const client = defineClient({ info: { name: 'rxmcp-bridge', version: packageJson.version } });
  try {
    const remote = await client.connect(transport, { signal, onFault: () => undefined });
    await remote.close();
  } catch (error) {
    if (signal.aborted) return;
    const why = describeError(error);
    tell(`the server is not connected: ${why}${nextStep(why)}`);
  }
}
