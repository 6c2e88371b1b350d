import type { JsonObject } from '@rxmcp/jsonrpc';
import { isObject } from '../base/checks.js';
import { maxKeyLength } from '../base/key-length.js';
import type { MethodOffer, HeaderParam } from '../contract/offer.js';
import { findHeaderParams } from '../schema/mirrored-params.js';

const maxTools = 100_000;

/** The arguments of tools that are also sent as headers, as learned from the lists that the bridge relayed. */
export class HeaderParamIndex {
  readonly #byTool = new Map<string, readonly HeaderParam[]>();
  readonly #offer: MethodOffer = {
    method: 'tools/call',
    handle: () => {
      throw new TypeError('`bridge`: a bridge handles no request itself');
    },
    headerParams: ({ name }) => this.of(name) ?? [],
  };

  /** Reads one page of `tools/list`. */
  learn({ tools }: JsonObject): void {
    if (!Array.isArray(tools)) return;
    for (const tool of tools as readonly unknown[]) {
      if (!isObject(tool) || typeof tool.name !== 'string' || tool.name.length > maxKeyLength) continue;
      const marked = findHeaderParams(tool.inputSchema);
      if (typeof marked === 'string' || marked.length === 0) this.#byTool.delete(tool.name);
      else if (this.#byTool.size < maxTools) this.#byTool.set(tool.name, marked);
    }
  }

  of(name: unknown): readonly HeaderParam[] | undefined {
    return typeof name === 'string' ? this.#byTool.get(name) : undefined;
  }

  /** Returns the offer that {@link checkParams} needs to check the headers of a call. */
  offerFor(method: string): MethodOffer | undefined {
    return method === 'tools/call' ? this.#offer : undefined;
  }
}
