import { once } from 'rxmcp';
import { prompts } from 'rxmcp/prompts';
import { resources } from 'rxmcp/resources';
import { tools } from 'rxmcp/tools';
import { atServer } from './at-server.js';
import type { Setting } from './setting.js';

/** One call that the suite asks for. */
interface Wanted {
  readonly name: string;
  readonly arguments: object;
}

/** Lists and uses one of each. */
export function useEverything(setting: Setting): Promise<void> {
  return atServer(setting, async (remote) => {
    const [tool] = await once(tools(remote).list());
    if (tool !== undefined) await once(tools(remote).call(tool.name));
    const [resource] = await once(resources(remote).list());
    if (resource !== undefined) await once(resources(remote).read(resource.uri));
    const [prompt] = await once(prompts(remote).list());
    if (prompt !== undefined) await once(prompts(remote).get(prompt.name));
  });
}

/** Makes the calls that the suite wants, with arguments that travel in headers as well. */
export function callAsTold(setting: Setting): Promise<void> {
  const wanted = (setting.context['toolCalls'] ?? []) as readonly Wanted[];
  return atServer(setting, async (remote) => {
    await once(tools(remote).list());
    for (const call of wanted) await once(tools(remote).call(call.name, call.arguments));
  });
}

/** Calls whatever the list has kept. */
export function callAllTools(setting: Setting): Promise<void> {
  return atServer(setting, async (remote) => {
    for (const { name } of await once(tools(remote).list()))
      await once(tools(remote).call(name, { region: 'us-west1' }));
  });
}
