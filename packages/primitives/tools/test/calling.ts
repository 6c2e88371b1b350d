import type { Context, Fault, JsonObject, Offer, HandlerResult } from '@rxmcp/core';
import { RxmcpError } from '@rxmcp/core';
import type { PreparedResult } from '@rxmcp/core/internal';
import { settleResult } from '@rxmcp/core/internal';
import type { ToolResult } from '../src/types.js';

/** One call of a method of an offer, without any transport. */
export interface Called {
  readonly faults: Fault[];
  readonly reports: number;
  /** Rejects with what the engine would project. */
  readonly end: Promise<JsonObject>;
  stop(): void;
}

export function call(
  offer: Offer,
  method: string,
  params: JsonObject,
  capabilities: JsonObject = {},
): Called {
  const faults: Fault[] = [];
  const seen = { reports: 0 };
  const ctx = {
    method,
    version: '2026-07-28',
    caller: { capabilities },
    meta: {},
    host: { fault: (fault: Fault) => void faults.push(fault) },
    progress: () => void (seen.reports += 1),
    log: () => void (seen.reports += 1),
    require: (needs: JsonObject) => {
      const missing = Object.keys(needs).filter((need) => !(need in capabilities));
      if (missing.length > 0) throw new RxmcpError('CAPABILITY_NOT_SUPPORTED', missing.join(', '));
    },
  } as unknown as Context;
  let stop = (): void => undefined;
  const end = new Promise<JsonObject>((resolve, reject) => {
    const handle = offer.methods?.find((each) => each.method === method)?.handle;
    if (handle === undefined) throw new Error(`"${method}" is not offered`);
    stop = settleResult(handle(params, ctx) as HandlerResult<JsonObject | PreparedResult>, {
      done: (value) => resolve(('texts' in value ? value.value : value) as JsonObject),
      failed: reject,
      empty: () => reject(new Error('empty')),
      report: () => void (seen.reports += 1),
    });
  });
  return {
    faults,
    end,
    stop: () => stop(),
    get reports() {
      return seen.reports;
    },
  };
}

export async function callTool(offer: Offer, name: string, args?: JsonObject): Promise<ToolResult> {
  const params = args === undefined ? { name } : { name, arguments: args };
  return (await call(offer, 'tools/call', params).end) as unknown as ToolResult;
}
