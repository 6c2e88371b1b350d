import { resources } from 'rxmcp/resources';
import { listCommand, shownEntry } from './entries.js';

export const templatesCommand = listCommand(
  'resources',
  'templates',
  (remote) => resources(remote).templates(),
  ({ uriTemplate, name, title = name, description, mimeType }, page) =>
    shownEntry(uriTemplate, [mimeType === undefined ? title : `${title} (${mimeType})`, description], page),
);
