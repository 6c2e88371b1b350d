import type { JsonObject } from '@rxmcp/jsonrpc';
import { isObject } from '../base/checks.js';
import type { MethodOffer, MirroredParam } from '../contract/offer.js';
import { markedParams } from '../schema/mirrored-params.js';

const maxTools = 100_000;

/** Which arguments of tools travel beside their calls, as the lists tell that passed by. */
export class Marks {
  private readonly byTool = new Map<string, readonly MirroredParam[]>();
  private readonly offer: MethodOffer = {
    method: 'tools/call',
    handle: () => {
      throw new TypeError('a bridge answers nothing itself');
    },
    mirrored: ({ name }) => this.of(name) ?? [],
  };

  /** Reads one page of `tools/list`. */
  learn({ tools }: JsonObject): void {
    if (!Array.isArray(tools)) return;
    for (const tool of tools as readonly unknown[]) {
      if (!isObject(tool) || typeof tool.name !== 'string') continue;
      const marked = markedParams(tool.inputSchema);
      if (typeof marked === 'string' || marked.length === 0) this.byTool.delete(tool.name);
      else if (this.byTool.size < maxTools) this.byTool.set(tool.name, marked);
    }
  }

  of(name: unknown): readonly MirroredParam[] | undefined {
    return typeof name === 'string' ? this.byTool.get(name) : undefined;
  }

  /** Stands for what answers a method, where its parameters are checked. */
  offerFor(method: string): MethodOffer | undefined {
    return method === 'tools/call' ? this.offer : undefined;
  }
}
