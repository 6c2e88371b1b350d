import type { CompleteRequest, CompletionResolver } from '@rxmcp/completion/internal';
import type { Context, Subscribable } from '@rxmcp/core';
import type { Forwarding } from '@rxmcp/core/internal';
import { getRemoteLink, markForwarded } from '@rxmcp/core/internal';
import type { Prompt, PromptInfo } from '@rxmcp/prompts';
import { prompts } from '@rxmcp/prompts';
import { complete } from './complete.js';
import { forward, whole } from './forward.js';
import type { InnerServer } from './inner-server.js';
import { renamed } from './inner-server.js';

interface ForwardedPrompt {
  readonly name: string;
  readonly info: PromptInfo;
  /** Its name at the other server. */
  readonly original: string;
}

/** The prompts of another server, and the completions of their arguments. */
export function promptsOf(server: InnerServer): {
  readonly source: Subscribable<readonly Prompt[]>;
  readonly resolve: CompletionResolver;
} {
  let current: readonly ForwardedPrompt[] | undefined;
  const source = server.items(
    (remote) => prompts(remote).list$,
    (list) => {
      current = server.offered(list, 'prompt').map((info) => promptOf(server, info));
      return current as readonly unknown[] as readonly Prompt[];
    },
    [],
  );
  return {
    source,
    resolve: Object.assign(
      (request: CompleteRequest, ctx: Context) => {
        if (request.kind !== 'prompt') return undefined;
        const found = current?.find(({ name }) => name === request.of);
        if (found === undefined) return undefined;
        return complete(server, ctx, { type: 'ref/prompt', name: found.original }, request);
      },
      {
        ready: (request: CompleteRequest) =>
          request.kind === 'prompt' ? server.listed(source, current !== undefined) : undefined,
      },
    ),
  };
}

function promptOf(server: InnerServer, original: PromptInfo): ForwardedPrompt {
  const info = renamed(original, server.offeredName(original.name, 'prompt'));
  const forwarding: Forwarding = {
    server: server.name,
    handle: (args, ctx) =>
      forward(server, ctx, (remote, options) =>
        getRemoteLink(remote).events({
          method: 'prompts/get',
          params: { name: original.name, arguments: args },
          capability: 'prompts',
          decode: whole,
          options,
        }),
      ),
  };
  return markForwarded({ name: info.name, info, original: original.name }, forwarding);
}
