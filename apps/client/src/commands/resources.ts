import { resources } from 'rxmcp/resources';
import { listCommand, shownEntry } from './entries.js';

export const resourcesCommand = listCommand(
  'resources',
  'resources',
  (remote) => resources(remote).list(),
  ({ uri, name, title = name, description, mimeType }, page) =>
    shownEntry(uri, [mimeType === undefined ? title : `${title} (${mimeType})`, description], page),
);
