import type { CallWithEvents, JsonObject, Subscribable } from '@rxmcp/core';
import type { Forwarding } from '@rxmcp/core/internal';
import { findHeaderParams, markForwarded } from '@rxmcp/core/internal';
import type { Tool, ToolInfo } from '@rxmcp/tools';
import { tools } from '@rxmcp/tools';
import { forward } from './forward.js';
import type { InnerServer } from './inner-server.js';
import { renamed } from './inner-server.js';

/** The tools of another server. */
export function toolsOf(server: InnerServer): Subscribable<readonly Tool[]> {
  return server.items(
    (remote) => tools(remote).list$,
    (list) => server.offered(list, 'tool').map((info) => toolOf(server, info)),
    [],
  );
}

function toolOf(server: InnerServer, original: ToolInfo): Tool {
  const info = renamed(original, server.offeredName(original.name, 'tool'));
  const headerParams = findHeaderParams(original.inputSchema);
  const forwarding: Forwarding = {
    server: server.name,
    ...(typeof headerParams === 'string' ? {} : { headerParams }),
    handle: (args, ctx) =>
      forward(
        server,
        ctx,
        (remote, options) => tools(remote).events(original.name, args, options) as CallWithEvents<JsonObject>,
      ),
  };
  return markForwarded({ name: info.name, info }, forwarding) as Tool;
}
