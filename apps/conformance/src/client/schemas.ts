import { once } from 'rxmcp';
import { tools } from 'rxmcp/tools';
import { atServer } from './at-server.js';
import type { Setting } from './setting.js';

/** Reads schemas that point elsewhere; nobody may follow. */
export function listOnly(setting: Setting): Promise<void> {
  return atServer(setting, (remote) => once(tools(remote).list()));
}

/** Gives a schema back as the list told it. */
export function sendSchemaBack(setting: Setting): Promise<void> {
  return atServer(setting, async (remote) => {
    const listed = await once(tools(remote).list());
    const schema = listed.find(({ name }) => name === 'json_schema_2020_12_tool')?.inputSchema;
    await once(tools(remote).call('json_schema_echo', { schema }));
  });
}
