import { defer, map } from 'rxjs';
import { hasSession } from '../connection/era.js';
import { type Line, remoteCommand } from '../connection/remote-command.js';

export const pingCommand = remoteCommand({
  details:
    'Sends one request that does nothing, and prints how long its answer took: ping, or server/discover since 2026-07-28.',
  example: 'rxmcp ping https://example.com/mcp',
  run({ remote }) {
    const method = hasSession(remote) ? 'ping' : 'server/discover';
    return defer(() => {
      const from = performance.now();
      return remote.request(method).pipe(
        map((): Line => {
          const ms = Math.round((performance.now() - from) * 10) / 10;
          return { value: { method, ms }, show: (page) => page.line(`${method} was answered in ${ms} ms`) };
        }),
      );
    });
  },
});
