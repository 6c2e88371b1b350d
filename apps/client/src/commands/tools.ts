import { tools } from 'rxmcp/tools';
import { listCommand, shownEntry } from './entries.js';

export const toolsCommand = listCommand(
  'tools',
  'tools',
  (remote) => tools(remote).list(),
  ({ name, title, description }, page) => shownEntry(name, [title, description], page),
);
