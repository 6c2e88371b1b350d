import { execFile } from 'node:child_process';
import { tool, type Tool, ToolError } from 'rxmcp/tools';
import * as z from 'zod';
import type { Folder } from '../folder/folder.js';

const output = z.object({
  stdout: z.string(),
  stderr: z.string(),
  folder: z.string().describe('Where the command ran'),
});

/** The longest time of a command, in milliseconds. */
const timeoutMs = 60_000;
/** The most that a command may write to each of its outputs, in bytes. */
const maxBytes = 256 * 1024;
const secrets: readonly string[] = ['GITHUB_TOKEN', 'RXMCP_STATE_KEYS', 'RXMCP_TOKENS'];

/** Runs one of the allowed commands in the served folder, without a shell. A cancelled call ends the process. */
export function executeCommand(folder: Folder, allowed: readonly [string, ...string[]]): Tool {
  return tool(
    'execute_command',
    {
      title: 'Run a command',
      description:
        `Runs ${allowed.map((name) => JSON.stringify(name)).join(' or ')} in the served folder, such as ` +
        `${JSON.stringify({ command: allowed[0], args: ['--version'] })}. Arguments are passed as they are: there is no shell. ` +
        `At most ${timeoutMs / 1_000} s, and ${maxBytes / 1024} KiB of each output.`,
      input: z.object({
        command: z.enum(allowed),
        args: z.array(z.string().max(8_192)).max(256).optional().describe('Default none'),
      }),
      output,
      annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: false, openWorldHint: true },
    },
    ({ command, args = [] }, ctx) => {
      const environment = Object.entries(process.env).filter(([name]) => !secrets.includes(name));
      return new Promise<z.infer<typeof output>>((resolve, reject) => {
        const child = execFile(
          command,
          args,
          {
            cwd: folder.root,
            env: Object.fromEntries(environment),
            timeout: timeoutMs,
            maxBuffer: maxBytes,
            killSignal: 'SIGKILL',
            signal: ctx.signal,
            encoding: 'utf8',
          },
          (error, stdout, stderr) => {
            if (error === null) resolve({ stdout, stderr, folder: folder.uri });
            else reject(new ToolError(reasonOf(command, error, stdout, stderr), { cause: error }));
          },
        );
        // A command that cannot be started has no input.
        child.stdin?.on('error', () => undefined).end();
      });
    },
  );
}

function reasonOf(
  command: string,
  error: Error & { readonly code?: unknown; readonly killed?: boolean; readonly signal?: unknown },
  stdout: string,
  stderr: string,
): string {
  const { code, killed, signal } = error;
  const name = JSON.stringify(command);
  if (code === 'ENOENT') return `${name} is not installed on the server`;
  const why =
    code === 'ERR_CHILD_PROCESS_STDIO_MAXBUFFER'
      ? `wrote more than ${maxBytes / 1024} KiB and was ended`
      : killed === true
        ? `did not finish within ${timeoutMs / 1_000} s and was ended`
        : typeof code === 'number'
          ? `ended with exit code ${code}`
          : `was ended by ${String(signal ?? code)}`;
  return [`${name} ${why}`, stderr.trim(), stdout.trim()].filter((part) => part !== '').join('\n');
}
