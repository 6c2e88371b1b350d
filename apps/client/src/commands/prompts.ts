import { prompts } from 'rxmcp/prompts';
import { listCommand, shownEntry } from './entries.js';

export const promptsCommand = listCommand(
  'prompts',
  'prompts',
  (remote) => prompts(remote).list(),
  ({ name, title, description, arguments: args = [] }, page) => {
    const shown = args
      .map((arg) => (arg.required === true ? `${arg.name}=STRING` : `[${arg.name}=STRING]`))
      .join(' ');
    return shownEntry(name, [shown, title, description], page);
  },
);
