import { map } from 'rxjs';
import { resources } from 'rxmcp/resources';
import { remoteCommand } from '../connection/remote-command.js';

export const watchCommand = remoteCommand({
  words: [{ name: 'URI', suggests: 'resources' }],
  details: 'Reads the resource, and again whenever it changes, until Ctrl-C.',
  example: 'rxmcp watch file:///logs/app.log https://example.com/mcp',
  run({ remote, words: [uri = ''], program }) {
    const watched = resources(remote).watch(uri);
    if (!watched.isLive)
      program.terminal.tell(
        'this server does not announce changes of resources: it is read again only when the list changes',
      );
    return watched.pipe(map((contents) => ({ value: { contents } })));
  },
});
