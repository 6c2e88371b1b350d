import { map } from 'rxjs';
import { resources } from 'rxmcp/resources';
import { remoteCommand } from '../connection/remote-command.js';

export const readCommand = remoteCommand({
  words: [{ name: 'URI', suggests: 'resources' }],
  example: 'rxmcp read file:///logs/app.log https://example.com/mcp',
  run: ({ remote, words: [uri = ''] }) =>
    resources(remote)
      .read(uri)
      .pipe(map((contents) => ({ value: { contents } }))),
});
