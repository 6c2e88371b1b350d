import { once } from 'rxmcp';
import { orThrow, tools } from 'rxmcp/tools';
import { atServer } from './at-server.js';
import type { Setting } from './setting.js';

/** Calls a tool with arguments. */
export function callAddition(setting: Setting): Promise<void> {
  return atServer(setting, async (remote) => {
    await once(tools(remote).list());
    await once(tools(remote).call('add_numbers', { a: 5, b: 3 }).pipe(orThrow()));
  });
}

/** Calls a tool whose stream is closed before the answer; that it is come back to is the transport's work. */
export function callAndComeBack(setting: Setting): Promise<void> {
  return atServer(setting, async (remote) => {
    await once(tools(remote).list());
    await once(tools(remote).call('test_reconnection').pipe(orThrow()));
  });
}
