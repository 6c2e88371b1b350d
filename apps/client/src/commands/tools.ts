import { tools } from 'rxmcp/tools';
import { usageOf } from '../call-arguments/usage.js';
import { listCommand, shownEntry } from './entries.js';

export const toolsCommand = listCommand(
  'tools',
  'tools',
  (remote) => tools(remote).list(),
  (tool, page) => shownEntry(tool.name, [usageOf(tool), firstLine(tool.description ?? tool.title)], page),
  'At a terminal the arguments of each tool are shown as call takes them; those in [brackets] are optional.',
);

const firstLine = (text = ''): string => text.trim().split('\n', 1).join('');
