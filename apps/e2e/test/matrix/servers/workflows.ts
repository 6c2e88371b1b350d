import type { Server } from 'rxmcp';
import { defineServer } from 'rxmcp';
import { assistant, embeddedResource, offerPrompts, prompt, user } from 'rxmcp/prompts';
import { offerResources, resource } from 'rxmcp/resources';

const log = '[2024-03-14 15:32:11] ERROR: 连接超时 network.py:127';
const code = 'def connect_to_service(timeout=30):\n    return establish_connection(timeout)\n';

const analyzeCode = prompt(
  'analyze-code',
  {
    description: 'Analyze code for potential improvements',
    arguments: [{ name: 'language', description: 'Programming language', required: true }],
  },
  ({ language }) => ({
    description: `Analyze ${language} code for potential improvements`,
    messages: [user(`Please analyze the following ${language} code:\n\n${code}`)],
  }),
);

const analyzeProject = prompt(
  'analyze-project',
  {
    description: 'Analyze project logs and code',
    arguments: [
      { name: 'timeframe', description: 'Time period to analyze logs', required: true },
      { name: 'fileUri', description: 'URI of code file to review', required: true },
    ],
  },
  ({ timeframe, fileUri }) => [
    user('请分析这些系统日志和代码文件，找出问题：'),
    user(
      embeddedResource({ uri: `logs://recent?timeframe=${timeframe}`, mimeType: 'text/plain', text: log }),
    ),
    user(embeddedResource({ uri: fileUri, mimeType: 'text/x-python', text: code })),
  ],
);

const debugError = prompt(
  'debug-error',
  { arguments: [{ name: 'error', description: 'The message as it was shown', required: true }] },
  ({ error }) => [
    user(`Here's an error I'm seeing: ${error}`),
    assistant("I'll help analyze this error. What have you tried so far?"),
    user("I've tried restarting the service, but the error persists."),
  ],
);

const gitCommit = prompt(
  'git-commit',
  {
    description: 'Generate a Git commit message',
    arguments: [{ name: 'changes', description: 'Git diff or description of changes', required: true }],
  },
  ({ changes }) => user(`Generate a concise but descriptive commit message for these changes:\n\n${changes}`),
);

const explainCode = prompt(
  'explain-code',
  {
    description: 'Explain how code works',
    arguments: [
      { name: 'code', description: 'Code to explain', required: true },
      { name: 'language', description: 'Programming language' },
    ],
  },
  ({ code: given, language = 'Unknown' }) => user(`Explain how this ${language} code works:\n\n${given}`),
);

/** The prompts of the guides, and the resources that one of them embeds. */
export function workflows(): Server {
  return defineServer({
    info: { name: 'example-prompts-server', version: '1.0.0' },
    offers: [
      offerPrompts([analyzeCode, analyzeProject, debugError, gitCommit, explainCode]),
      offerResources([resource('logs://recent?timeframe=1h', { mimeType: 'text/plain' }, log)]),
    ],
  });
}
