import type { MirroredParam, RemoteLink } from '@rxmcp/core/internal';
import { following, markedParams, quoted, recovering, refusedCall } from '@rxmcp/core/internal';
import { RpcError } from '@rxmcp/core';
import type { Observable } from 'rxjs';
import { map } from 'rxjs';
import type { ToolInfo } from './types.js';

/** What came beside a request is not what its server expects there. */
const headerMismatch = -32020;

/** The arguments that travel beside the calls of one remote, as its last list tells them. */
export class Mirrors {
  private byTool: ReadonlyMap<string, readonly MirroredParam[]> = new Map();
  /** The tools that the last list left out. */
  private refused: ReadonlySet<string> = new Set();

  constructor(private readonly inner: RemoteLink) {}

  of(name: string): readonly MirroredParam[] | undefined {
    return this.byTool.get(name);
  }

  /** A list without the tools whose schema wants something beside their calls that cannot be; a fault tells of each new one. */
  learnt(list: Observable<readonly ToolInfo[]>): Observable<readonly ToolInfo[]> {
    return this.inner.mirrors ? list.pipe(map((all) => this.learn(all))) : list;
  }

  /** A call that is made once more, with a fresh list, when its server misses something beside it. */
  retried<T>(call: Observable<T>, list: () => Observable<readonly ToolInfo[]>): Observable<T> {
    if (!this.inner.mirrors) return call;
    return recovering(call, (error) => {
      if (!RpcError.is(error) || error.code !== headerMismatch) return undefined;
      const fresh = recovering<unknown>(list(), () => refusedCall(error));
      return following(
        () => fresh,
        () => call,
      );
    });
  }

  private learn(all: readonly ToolInfo[]): readonly ToolInfo[] {
    const byTool = new Map<string, readonly MirroredParam[]>();
    const refused = new Set<string>();
    const good = all.filter(({ name, inputSchema }) => {
      const mirrored = markedParams(inputSchema);
      if (typeof mirrored !== 'string') {
        if (mirrored.length > 0) byTool.set(name, mirrored);
        return true;
      }
      refused.add(name);
      if (!this.refused.has(name))
        this.inner.fault({ code: 'TOOL_INVALID', message: `tool ${quoted(name)} is left out: ${mirrored}` });
      return false;
    });
    this.byTool = byTool;
    this.refused = refused;
    return good;
  }
}
