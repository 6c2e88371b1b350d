import { of } from 'rxjs';
import { remoteCommand } from '../connection/remote-command.js';

export const infoCommand = remoteCommand({
  example: 'rxmcp info https://example.com/mcp',
  run({ remote }) {
    const { info, version, capabilities, instructions } = remote;
    return of({ value: { server: info, protocol: version, capabilities, instructions } });
  },
});
