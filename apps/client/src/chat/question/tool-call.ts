import { type ContentBlock, type JsonObject, text } from 'rxmcp';
import { resources } from 'rxmcp/resources';
import type { ToolUseContent } from 'rxmcp/sampling';
import { type ToolResult, tools } from 'rxmcp/tools';
import {
  catchError,
  concat,
  defer,
  finalize,
  from,
  map,
  merge,
  mergeMap,
  type Observable,
  of,
  Subject,
  throwError,
} from 'rxjs';
import { describeError } from '@rxmcp/app-serving/describe-error';
import type { Approvals, Decision } from './approvals.js';
import { contentsText } from '../contents-text.js';
import type { ChatEvent } from '../events.js';
import { type ChatServer, type ChatTool, readResourceInfo, type ToolSet } from '../tool-set.js';

/**
 * Runs one use of a tool: approval, progress and logs, then its result, which is last. A failure is a result with `isError`, so that
 * the model can correct itself. Unsubscribing cancels the call on the wire.
 */
export function toolCall(use: ToolUseContent, toolSet: ToolSet, approvals: Approvals): Observable<ChatEvent> {
  const { id, name, input } = use;
  const tool = toolSet.byName.get(name);
  if (tool === undefined) {
    const known = [...toolSet.byName.keys()].join(', ');
    return of(failed(id, `There is no tool "${name}". There are: ${known === '' ? 'none' : known}.`));
  }
  const call: ChatEvent = {
    type: 'tool_call',
    id,
    server: tool.server.name,
    tool: tool.info.name,
    arguments: input,
  };
  const events$ = tool.info === readResourceInfo ? read(use, tool, approvals) : called(use, tool, approvals);
  return concat(of(call), events$.pipe(catchError((error: unknown) => of(failed(id, describeError(error))))));
}

const rejectedByUser = 'The user did not approve this call.';
const rejectedUnasked = 'This call was not approved: no user was asked.';

function rejected(id: string, { by }: Decision): ChatEvent {
  return failed(id, by === 'user' ? rejectedByUser : rejectedUnasked);
}

/** Calls the tool: the interceptor of its client asks for the approval. */
function called({ id, input }: ToolUseContent, tool: ChatTool, approvals: Approvals): Observable<ChatEvent> {
  return defer(() => {
    const { remote } = tool.server;
    const approval$ = new Subject<ChatEvent>();
    let decision: Decision | undefined;
    // Two calls may share their arguments.
    const args = { ...input };
    approvals.expect(tool, args, (decided) => {
      decision = decided;
      approval$.next({ type: 'approval', id, ...decided });
    });
    const events$ = tools(remote)
      .events(tool.info.name, args, 'logging' in remote.capabilities ? { logLevel: 'info' } : {})
      .pipe(
        map((event) => (event.type === 'result' ? resultOf(id, event.result) : { ...event, id })),
        catchError((error: unknown) =>
          decision?.approved === false ? of(rejected(id, decision)) : throwError(() => error),
        ),
        finalize(() => approval$.complete()),
      );
    return merge(approval$, events$);
  });
}

function resultOf(id: string, { content, isError = false, structuredContent }: ToolResult): ChatEvent {
  const isEmpty = content.length === 0 && structuredContent !== undefined;
  return {
    type: 'tool_result',
    id,
    isError,
    content: isEmpty ? [text(JSON.stringify(structuredContent))] : content,
  };
}

/** Reads a resource, which is a tool of this program: no request of the server is a call of it. */
function read({ id, input }: ToolUseContent, tool: ChatTool, approvals: Approvals): Observable<ChatEvent> {
  return defer(() => {
    const withdrawal = new AbortController();
    return from(approvals.decide(tool, input, withdrawal.signal)).pipe(
      finalize(() => withdrawal.abort()),
      mergeMap((decision) =>
        concat(
          of({ type: 'approval', id, ...decision } as const),
          decision.approved ? contents(id, tool.server, input) : of(rejected(id, decision)),
        ),
      ),
    );
  });
}

function contents(id: string, { remote }: ChatServer, { uri }: JsonObject): Observable<ChatEvent> {
  const result = (value: string): ChatEvent => ({
    type: 'tool_result',
    id,
    isError: false,
    content: [text(value)],
  });
  if (typeof uri === 'string')
    return resources(remote)
      .read(uri)
      .pipe(map((all) => result(contentsText(all))));
  return resources(remote)
    .list()
    .pipe(
      map((list) =>
        result(
          list.map(({ uri: one, name, description = '' }) => `${one} ${name} ${description}`).join('\n'),
        ),
      ),
    );
}

function failed(id: string, message: string): ChatEvent {
  const content: readonly ContentBlock[] = [text(message)];
  return { type: 'tool_result', id, isError: true, content };
}
