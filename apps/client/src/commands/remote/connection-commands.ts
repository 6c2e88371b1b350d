import { defer, map, of } from 'rxjs';
import type { JsonObject } from 'rxmcp';
import { hasSession } from '../../connection/era.js';
import { type Line, remoteCommand } from '../../connection/remote-command.js';

export const infoCommand = remoteCommand({
  example: 'rxmcp info https://example.com/mcp',
  run({ remote }) {
    const { info, version, capabilities, instructions = '' } = remote;
    return of<Line>({
      value: { server: info, protocol: version, capabilities, instructions: remote.instructions },
      show(page) {
        const {
          name = 'a server without a name',
          version: release = '',
          title = '',
          description = '',
        } = info ?? {};
        const names = capabilityNames(capabilities).join(', ') || 'none';
        const texts = [`protocol: ${version}`, `capabilities: ${names}`, title, description, instructions];
        const shown = texts.filter((text) => text !== '' && text !== name);
        return [page.line(`${name} ${release}`, 'bold'), ...shown.map((text) => page.quote(text))].join('\n');
      },
    });
  },
});

export const pingCommand = remoteCommand({
  details:
    'Sends one request that does nothing, and prints how long its response took: ping, or server/discover since 2026-07-28.',
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

/** The capabilities with the features that are declared of each, such as `tools (listChanged)`. */
function capabilityNames(capabilities: JsonObject): readonly string[] {
  return Object.entries(capabilities).map(([name, features]) => {
    const names = Object.entries(Object(features) as JsonObject).filter(([, value]) => value !== false);
    return names.length === 0 ? name : `${name} (${names.map(([feature]) => feature).join(', ')})`;
  });
}
