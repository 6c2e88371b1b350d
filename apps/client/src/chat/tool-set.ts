import { type Remote, once } from 'rxmcp';
import type { ToolDefinition } from 'rxmcp/sampling';
import { toOpenAiTools, type ToolInfo, tools } from 'rxmcp/tools';

/** A server of the chat, by the name that the person gave it. */
export interface ChatServer {
  readonly name: string;
  /** Where it is: the URL, or the command with its arguments. */
  readonly identity: string;
  readonly remote: Remote;
}

/** A tool that the model may use. */
export interface ChatTool {
  readonly server: ChatServer;
  readonly info: ToolInfo;
}

/** The tools of all servers, under names that are unique and that APIs of models accept. */
export interface ToolSet {
  readonly definitions: readonly ToolDefinition[];
  readonly byName: ReadonlyMap<string, ChatTool>;
}

const readResource = 'read_resource';

/** Asks all servers at once for lists, and joins them. A server that cannot answer has nothing. */
export async function fromAll<T>(
  servers: readonly ChatServer[],
  of: (server: ChatServer) => Promise<readonly T[]>,
): Promise<readonly T[]> {
  return (await Promise.all(servers.map((server) => of(server).catch(() => [])))).flat();
}

/** Lists the tools of all servers. A server that cannot list them, since it was closed, has none. */
export async function toolSetOf(servers: readonly ChatServer[], signal: AbortSignal): Promise<ToolSet> {
  const own = await fromAll(servers, async (server) => {
    const list = await once(tools(server.remote).list(), { signal });
    return list.map((info): ChatTool => ({ server, info }));
  });
  const all = [...own, ...resourceTools(servers, own)];
  const qualified = all.map(({ server, info }) => ({ ...info, name: `${server.name}__${info.name}` }));
  const names = toOpenAiTools(qualified).map((tool) => tool.function.name);
  return {
    definitions: all.map(({ info }, at) => ({
      name: names[at] as string,
      ...(info.description === undefined ? {} : { description: info.description }),
      inputSchema: info.inputSchema,
    })),
    byName: new Map(all.map((tool, at) => [names[at] as string, tool])),
  };
}

function resourceTools(servers: readonly ChatServer[], own: readonly ChatTool[]): readonly ChatTool[] {
  return servers
    .filter(({ remote }) => 'resources' in remote.capabilities)
    .filter((server) => !own.some((tool) => tool.server === server && tool.info.name === readResource))
    .map((server) => ({ server, info: readResourceInfo }));
}

/** The generated tool by which the model reads resources. */
export const readResourceInfo: ToolInfo = {
  name: readResource,
  description: 'Reads a resource of this server. Without a uri it lists the resources.',
  inputSchema: {
    type: 'object',
    properties: { uri: { type: 'string', description: 'Such as file:///a.txt' } },
  },
  annotations: { readOnlyHint: true },
};
