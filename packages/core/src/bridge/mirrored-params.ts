import type { JsonObject } from '@rxmcp/jsonrpc';
import { isObject } from '../base/checks.js';
import type { MethodOffer, HeaderParam } from '../contract/offer.js';
import { findHeaderParams } from '../schema/mirrored-params.js';

const maxTools = 100_000;

/** Which arguments of tools travel beside their calls, as the lists tell that passed by. */
export class HeaderParamIndex {
  private readonly byTool = new Map<string, readonly HeaderParam[]>();
  private readonly offer: MethodOffer = {
    method: 'tools/call',
    handle: () => {
      throw new TypeError('`bridge`: a bridge answers no request itself');
    },
    headerParams: ({ name }) => this.of(name) ?? [],
  };

  /** Reads one page of `tools/list`. */
  learn({ tools }: JsonObject): void {
    if (!Array.isArray(tools)) return;
    for (const tool of tools as readonly unknown[]) {
      if (!isObject(tool) || typeof tool.name !== 'string') continue;
      const marked = findHeaderParams(tool.inputSchema);
      if (typeof marked === 'string' || marked.length === 0) this.byTool.delete(tool.name);
      else if (this.byTool.size < maxTools) this.byTool.set(tool.name, marked);
    }
  }

  of(name: unknown): readonly HeaderParam[] | undefined {
    return typeof name === 'string' ? this.byTool.get(name) : undefined;
  }

  /** Stands for what answers a method, where its parameters are checked. */
  offerFor(method: string): MethodOffer | undefined {
    return method === 'tools/call' ? this.offer : undefined;
  }
}
