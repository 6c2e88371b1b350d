import { RxmcpError } from 'rxmcp';
import { embeddedResource, prompt, type Prompt, type PromptMessage, user } from 'rxmcp/prompts';
import * as z from 'zod';
import type { Folder } from '../folder/folder.js';
import { locate } from '../folder/open-file.js';
import { readFile } from '../folder/read-file.js';
import type { FileEntry } from '../folder/scan.js';
import type { Journal } from '../journal/journal.js';
import { defaultTimeframe, timeframeMs, logUri } from '../resources/log-resource.js';

/** Most bytes of the file: all of it is put into the prompt. */
const maxBytes = 200_000;
const usual = ['README.md', 'package.json', 'pyproject.toml', 'Cargo.toml', 'go.mod'];

/** Asks for a look at the project, with its log and one of its files embedded. */
export function analyzeProject(folder: Folder, journal: Journal): Prompt {
  return prompt(
    'analyze-project',
    {
      title: 'Analyze the project',
      description:
        'Looks at what the server did lately together with a file of the project; both come along as resources.',
      arguments: z.object({
        timeframe: z.string().optional().describe(`A number and s, m, h or d; default ${defaultTimeframe}`),
        file: z
          .string()
          .min(1)
          .max(4_096)
          .optional()
          .describe(
            `A path, of a file of at most ${maxBytes} bytes; default the first such of ${usual.join(', ')}`,
          ),
      }),
    },
    async ({ timeframe = defaultTimeframe, file }, ctx) => {
      const log = journal.text(timeframeMs(timeframe), ctx.caller.principal);
      const entry = file === undefined ? await usualFile(folder) : await asked(folder, file);
      const about = entry === undefined ? 'the log' : `the log and ${entry.path}`;
      journal.note(ctx, 'info', `analyze-project: ${about}`);
      return {
        description: `A look at ${about} of the last ${timeframe}`,
        messages: [
          user(
            `Look at ${about} below: what is this project, does the log show trouble, and what would you do next?`,
          ),
          user(
            embeddedResource({ uri: `${logUri}?timeframe=${timeframe}`, mimeType: 'text/plain', text: log }),
          ),
          ...(entry === undefined ? [] : [await messageOf(folder, entry)]),
        ],
      };
    },
  );
}

async function usualFile(folder: Folder): Promise<FileEntry | undefined> {
  const { files } = await folder.latest();
  return usual.map((path) => files.get(path)).find((entry) => entry !== undefined && entry.size <= maxBytes);
}

async function asked(folder: Folder, file: string): Promise<FileEntry> {
  try {
    return await locate(folder, file);
  } catch (error) {
    if (!RxmcpError.is(error, 'RESOURCE_NOT_FOUND')) throw error;
    throw new RxmcpError('INVALID_PARAMS', error.message, { cause: error });
  }
}

async function messageOf(folder: Folder, entry: FileEntry): Promise<PromptMessage> {
  const { uri, mimeType } = entry;
  const value = await readFile(folder, entry, maxBytes);
  const type = mimeType === undefined ? {} : { mimeType };
  if (value.text !== undefined) return user(embeddedResource({ uri, ...type, text: value.text }));
  return user(embeddedResource({ uri, ...type, blob: Buffer.from(value.blob).toString('base64') }));
}
