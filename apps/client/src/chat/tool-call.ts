import type { ContentBlock, JsonObject } from 'rxmcp';
import { text } from 'rxmcp';
import { resources } from 'rxmcp/resources';
import type { ToolUseContent } from 'rxmcp/sampling';
import { tools } from 'rxmcp/tools';
import { catchError, concat, defer, finalize, from, map, mergeMap, type Observable, of } from 'rxjs';
import { describeError } from '../failure.js';
import type { Approvals } from './approvals.js';
import { contentsText } from './contents-text.js';
import type { ChatEvent } from './events.js';
import { type ChatServer, type ChatTool, readResourceInfo, type ToolSet } from './tool-set.js';

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
  return concat(of(call), approved(id, tool, input, approvals));
}

function approved(
  id: string,
  tool: ChatTool,
  input: JsonObject,
  approvals: Approvals,
): Observable<ChatEvent> {
  return defer(() => {
    const withdrawal = new AbortController();
    return from(approvals.decide(tool, input, withdrawal.signal)).pipe(
      finalize(() => withdrawal.abort()),
      mergeMap((decision) => {
        const event: ChatEvent = { type: 'approval', id, ...decision };
        const next = decision.approved
          ? run(id, tool, input)
          : of(failed(id, decision.by === 'user' ? rejectedByUser : rejectedUnasked));
        return concat(of(event), next);
      }),
    );
  });
}

const rejectedByUser = 'The user did not approve this call.';
const rejectedUnasked = 'This call was not approved: no user was asked.';

function run(id: string, { server, info }: ChatTool, input: JsonObject): Observable<ChatEvent> {
  const events = info === readResourceInfo ? read(id, server, input) : called(id, server, info.name, input);
  return events.pipe(catchError((error: unknown) => of(failed(id, describeError(error)))));
}

function called(id: string, { remote }: ChatServer, name: string, input: JsonObject): Observable<ChatEvent> {
  return tools(remote)
    .events(name, input, 'logging' in remote.capabilities ? { logLevel: 'info' } : {})
    .pipe(
      map((event): ChatEvent => {
        if (event.type !== 'result') return { ...event, id };
        const { content, isError = false, structuredContent } = event.result;
        const isEmpty = content.length === 0 && structuredContent !== undefined;
        return {
          type: 'tool_result',
          id,
          isError,
          content: isEmpty ? [text(JSON.stringify(structuredContent))] : content,
        };
      }),
    );
}

function read(id: string, { remote }: ChatServer, { uri }: JsonObject): Observable<ChatEvent> {
  const result = (value: string): ChatEvent => ({
    type: 'tool_result',
    id,
    isError: false,
    content: [text(value)],
  });
  if (typeof uri === 'string')
    return resources(remote)
      .read(uri)
      .pipe(map((contents) => result(contentsText(contents))));
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
