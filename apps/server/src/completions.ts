import type { Offer } from 'rxmcp';
import { offerCompletion, filterByPrefix } from 'rxmcp/completion';
import type { Folder } from './folder/folder.js';

const languages = [
  'bash',
  'c',
  'css',
  'go',
  'html',
  'java',
  'javascript',
  'json',
  'python',
  'rust',
  'sql',
  'typescript',
];
const timeframes = ['1m', '10m', '1h', '6h', '1d', '7d'];

/** Suggests what may stand in the arguments of the prompts and in the path of a file. */
export function completions(folder: Folder): Offer {
  const paths = async (typed: string): Promise<readonly string[]> =>
    filterByPrefix(typed, [...(await folder.latest()).files.keys()]);
  return offerCompletion({
    prompts: {
      'explain-code': { language: languages },
      'analyze-project': { timeframe: timeframes, file: paths },
    },
    templates: { [`${folder.uri}{+path}`]: { path: paths } },
  });
}
