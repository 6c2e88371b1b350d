import { map } from 'rxjs';
import { resources } from 'rxmcp/resources';
import { type Line, remoteCommand } from '../connection/remote-command.js';
import { shownContents } from '../output/contents.js';

export const readCommand = remoteCommand({
  words: [{ name: 'URI', suggests: 'resources' }],
  example: 'rxmcp read file:///logs/app.log https://example.com/mcp',
  run: ({ remote, words: [uri = ''] }) =>
    resources(remote)
      .read(uri)
      .pipe(
        map((contents): Line => ({
          value: { contents },
          show: (page) => contents.map((one) => shownContents(one, page)).join('\n'),
        })),
      ),
});
