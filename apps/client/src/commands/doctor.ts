import type { Remote } from 'rxmcp';
import { command } from '../command.js';
import { connect } from '../connection/connect.js';
import { connectionOptions, connectionSettings, transportOption } from '../connection/options.js';
import { type Check, CheckError } from '../doctor/check.js';
import { mcpChecks } from '../doctor/mcp-checks.js';
import { reachChecks } from '../doctor/reach.js';
import { describeError } from '@rxmcp/app-serving/describe-error';
import { ConnectionError, exitOf, exits } from '../failure.js';
import { nextStep } from '@rxmcp/app-serving/next-step';
import type { Page } from '../output/page.js';
import { targetOf } from '../target/resolve.js';
import { UsageError } from '@rxmcp/app-serving/usage-error';

export const doctorCommand = command({
  target: 'one',
  options: { ...transportOption, ...connectionOptions },
  details:
    'Checks in this order, and stops at the first check that fails: resolve, tcp, tls, http, auth, era, initialize, capabilities,\n' +
    'lists, schemas. Says what is wrong and how to mend it. The exit code is that of the failure, as for other commands.',
  example: 'rxmcp doctor https://example.com/mcp',
  async run({ target: word, options }, program) {
    const settings = connectionSettings(options);
    const target = await targetOf(word, settings, program.env);
    let remote: Remote | undefined;
    const open = async (): Promise<Remote> => (remote = await connect(word, settings, program));
    const checks = [...reachChecks(target, settings.timeoutMs ?? 10_000, program.env), ...mcpChecks(open)];
    try {
      for (const check of checks) {
        const line = await checked(check);
        program.output.print(line, (page) => shown(line, page));
        if (!line.ok) return line.code;
      }
      return exits.good;
    } finally {
      await remote?.close();
    }
  },
});

type CheckLine =
  | { readonly check: string; readonly ok: true; readonly detail: string }
  | {
      readonly check: string;
      readonly ok: false;
      readonly cause: string;
      readonly fix: string;
      readonly code: number;
    };

async function checked({ name, run }: Check): Promise<CheckLine> {
  try {
    return { check: name, ok: true, detail: await run() };
  } catch (error) {
    // A wrong command line is an error of the command itself.
    if (error instanceof UsageError) throw error;
    if (error instanceof CheckError) {
      const { message: cause, fix, code } = error;
      return { check: name, ok: false, cause, fix, code };
    }
    const line = describeError(error instanceof ConnectionError ? error.cause : error);
    const fix = nextStep(line).replace(/^\. /, '');
    const code = isSystem(error) ? exits.connection : exitOf(error);
    return { check: name, ok: false, cause: line, fix: fix === '' ? 'Run it again with --debug' : fix, code };
  }
}

/** Whether the network failed: its errors have a code of the system. */
function isSystem(error: unknown): boolean {
  const { code, cause } = Object(error) as { code?: unknown; cause?: unknown };
  return (
    typeof code === 'string' || (cause !== undefined && error instanceof Error && error.constructor === Error)
  );
}

/** The columns before what a check says. */
const indent = 8;

function shown(line: CheckLine, page: Page): string {
  const said = (text: string): string => page.line(text, undefined, indent);
  if (line.ok) return `${page.styled('ok', 'green')}      ${said(`${line.check}: ${line.detail}`)}`;
  return [
    `${page.styled('failed', 'red')}  ${said(`${line.check}: ${line.cause}`)}`,
    ' '.repeat(indent) + said(line.fix),
  ].join('\n');
}
