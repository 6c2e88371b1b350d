import type { JsonObject } from '@rxmcp/jsonrpc';
import { estimateMessageBytes } from '@rxmcp/transport/internal';
import { isObject } from '../base/checks.js';
import { maxKeyLength } from '../base/key-length.js';
import type { InterceptedRequest } from '../contract/interceptor.js';

/** Most that is kept of the tools of one server, in estimated bytes. */
const maxToolBytes = 16 * 1024 * 1024;

/** What a server says of a tool in its list. They are hints; do not trust them. */
export interface ListedTool {
  readonly title: string | undefined;
  readonly annotations: JsonObject | undefined;
}

interface Tools {
  readonly byName: Map<string, ListedTool>;
  bytes: number;
}

/** The titles and annotations of tools, as last listed by each server. Of a list that is too large nothing is kept. */
export class ListedTools {
  readonly #servers = new WeakMap<object, Tools>();

  /** Returns the tool that a request calls. */
  calledBy({ method, params, owner }: InterceptedRequest): ListedTool | undefined {
    return method === 'tools/call' ? this.#servers.get(owner)?.byName.get(params.name as string) : undefined;
  }

  /** Stores a page, if the request was for one. The first page starts a new list. */
  learn({ method, params, owner }: InterceptedRequest, result: JsonObject): void {
    if (method !== 'tools/list' || !Array.isArray(result.tools)) return;
    let tools = this.#servers.get(owner);
    if (tools === undefined || params.cursor === undefined) tools = { byName: new Map(), bytes: 0 };
    this.#servers.set(owner, tools);
    const page: [string, ListedTool][] = [];
    for (const tool of result.tools as unknown[]) {
      if (!isObject(tool) || typeof tool.name !== 'string' || tool.name.length > maxKeyLength) continue;
      const { name, title, annotations } = tool;
      page.push([
        name,
        {
          title: typeof title === 'string' ? title : undefined,
          annotations: isObject(annotations) ? annotations : undefined,
        },
      ]);
    }
    tools.bytes += estimateMessageBytes(page);
    if (tools.bytes > maxToolBytes) tools.byName.clear();
    else for (const [name, tool] of page) tools.byName.set(name, tool);
  }
}
