import type { JsonObject } from 'rxmcp';
import type { FrameChecker } from './schemas.js';

/** What passed between a client and a server, with who said it. */
export interface Said {
  readonly by: 'client' | 'server';
  readonly frame: JsonObject;
}

const results: Readonly<Record<string, string>> = {
  initialize: 'InitializeResult',
  'server/discover': 'DiscoverResult',
  'subscriptions/listen': 'SubscriptionsListenResult',
  ping: 'EmptyResult',
  'tools/list': 'ListToolsResult',
  'tools/call': 'CallToolResult',
  'resources/list': 'ListResourcesResult',
  'resources/templates/list': 'ListResourceTemplatesResult',
  'resources/read': 'ReadResourceResult',
  'resources/subscribe': 'EmptyResult',
  'resources/unsubscribe': 'EmptyResult',
  'logging/setLevel': 'EmptyResult',
  'prompts/list': 'ListPromptsResult',
  'prompts/get': 'GetPromptResult',
  'completion/complete': 'CompleteResult',
  'sampling/createMessage': 'CreateMessageResult',
  'roots/list': 'ListRootsResult',
  'elicitation/create': 'ElicitResult',
};

/** Checks every frame of a conversation; returns how many were checked and what is wrong with which. */
export function checkAll(said: readonly Said[], checker: FrameChecker): { checked: number; wrong: string[] } {
  const asked = new Map<string, string>();
  const wrong: string[] = [];
  let checked = 0;
  for (const { by, frame } of said) {
    const definition = definitionOf(by, frame, asked, checker);
    if (definition === undefined) continue;
    checked += 1;
    const problem = checker.check(definition, 'result' in frame ? frame.result : frame);
    if (problem !== undefined) wrong.push(`${by}: ${problem}: ${JSON.stringify(frame).slice(0, 400)}`);
  }
  return { checked, wrong };
}

function definitionOf(
  by: Said['by'],
  frame: JsonObject,
  asked: Map<string, string>,
  checker: FrameChecker,
): string | undefined {
  const other = by === 'client' ? 'server' : 'client';
  if ('error' in frame) return checker.has('JSONRPCErrorResponse') ? 'JSONRPCErrorResponse' : 'JSONRPCError';
  if ('result' in frame) {
    const method = asked.get(`${other} ${JSON.stringify(frame.id)}`) ?? '';
    const input = (frame.result as JsonObject).resultType === 'input_required';
    return input ? 'InputRequiredResult' : results[method];
  }
  if (!('id' in frame)) return by === 'client' ? 'ClientNotification' : 'ServerNotification';
  asked.set(`${by} ${JSON.stringify(frame.id)}`, frame.method as string);
  // Custom methods have no definition.
  if (results[frame.method as string] === undefined) return undefined;
  return by === 'client' ? 'ClientRequest' : 'ServerRequest';
}
