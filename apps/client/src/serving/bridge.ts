import { type BridgeOptions, openBridge } from '@rxmcp/app-bridge/bridge';
import { checkServer } from '@rxmcp/app-serving/check-server';
import { findProgram } from '@rxmcp/app-serving/find-program';
import type { Program } from '../command.js';
import { type Target, transportTo } from '../target/target.js';
import { serveUntilEnd } from './serve-until-end.js';

/** Joins clients with one server. Resolves with the exit code. */
export async function runBridge(
  target: Target,
  options: Omit<BridgeOptions, 'isCommand' | 'onFault'>,
  program: Program,
): Promise<number> {
  const { tell } = program.terminal;
  if (target.kind === 'command' && !options.stdio)
    await findProgram(target.command, { ...program.env, ...target.env }, target.cwd);
  const transport = await transportTo(target, (line) => tell(`server: ${line}`), program.env);
  const opening = openBridge(transport, {
    ...options,
    isCommand: target.kind === 'command',
    onFault: ({ code, message }) => tell(`fault ${code}: ${message}`),
  });
  void opening.then(
    ({ urls }) => (urls.length === 0 ? undefined : checkServer(transport, tell, program.signal)),
    () => undefined,
  );
  return serveUntilEnd(opening, program);
}
