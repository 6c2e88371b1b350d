import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import type { JsonObject } from 'rxmcp';
import { approve, type Interceptor } from 'rxmcp/interceptors';
import { inline, quoted } from '../../printable.js';
import type { Terminal } from '../../terminal.js';
import type { ApprovedBy } from '../events.js';
import type { ChatTool } from '../tool-set.js';

/** What `--approve` says: ask for each call, approve all, none, or those of tools that say they only read. */
export type ApprovalMode = 'ask' | 'always' | 'never' | 'read-only';

/** A decision about a call. */
export interface Decision {
  readonly approved: boolean;
  readonly by: ApprovedBy;
}

/**
 * Decides whether the model may call a tool. A person may have a decision remembered for the tool of a server; it ends when the
 * description or the schema of the tool changes.
 */
export class Approvals {
  #isReported = false;
  /** The calls that are about to be made, by their arguments. */
  readonly #expected = new WeakMap<JsonObject, (signal: AbortSignal) => Promise<boolean>>();

  /** For the clients of the servers: a call of a tool is sent only once it was approved. */
  readonly interceptor: Interceptor = approve({
    confirm: ({ arguments: args, signal }) => this.#expected.get(args)?.(signal) ?? false,
  });

  /** @param mode - undefined if no option is given: a person is asked if one is present, and nothing is approved otherwise */
  constructor(
    private readonly mode: ApprovalMode | undefined,
    private readonly terminal: Terminal,
    private readonly file: string,
  ) {}

  /** The next call with these arguments is one of the tool; `decided` gets the decision about it. */
  expect(tool: ChatTool, args: JsonObject, decided: (decision: Decision) => void): void {
    this.#expected.set(args, async (signal) => {
      const decision = await this.decide(tool, args, signal);
      decided(decision);
      return decision.approved;
    });
  }

  async decide(tool: ChatTool, args: JsonObject, signal: AbortSignal): Promise<Decision> {
    const { mode, terminal } = this;
    if (mode === 'always' || mode === 'never') return { approved: mode === 'always', by: 'option' };
    if (mode === 'read-only' && tool.info.annotations?.readOnlyHint === true)
      return { approved: true, by: 'option' };
    if (mode === undefined && !terminal.asks) return this.#rejected('default');
    if (this.#remembered()[keyOf(tool)] === true) return { approved: true, by: 'remembered' };
    if (!terminal.asks) return this.#rejected('option');
    return terminal.talk(async () => ({
      approved: await this.#asked(tool, args, signal),
      by: 'user' as const,
    }));
  }

  #rejected(by: ApprovedBy): Decision {
    if (!this.#isReported)
      this.terminal.tell('no user is present to approve calls of tools: they are rejected (see --approve)');
    this.#isReported = true;
    return { approved: false, by };
  }

  async #asked(tool: ChatTool, args: JsonObject, signal: AbortSignal): Promise<boolean> {
    const { server, info } = tool;
    const hint = info.annotations?.readOnlyHint === true ? ' (it says that it only reads)' : '';
    this.terminal.say(
      `--- The model calls ${inline(JSON.stringify(info.name))} of ${inline(server.name)}${hint}:\n${quoted(JSON.stringify(args, null, 2))}`,
    );
    for (;;) {
      const answer = await this.terminal.ask(approvalQuestion, signal);
      const word = answer?.trim().toLowerCase();
      if (word === 'a' || word === 'always') this.#remember(tool);
      if (word === 'a' || word === 'always' || word === 'y' || word === 'yes') return true;
      if (word === undefined || word === 'n' || word === 'no') return false;
      this.terminal.say('Please answer y, n or a.');
    }
  }

  #remembered(): Readonly<Record<string, unknown>> {
    try {
      const value: unknown = JSON.parse(readFileSync(this.file, 'utf8'));
      return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
    } catch {
      // Without the file nothing is remembered. A damaged one approves nothing.
      return {};
    }
  }

  #remember(tool: ChatTool): void {
    try {
      writeAtomically(this.file, JSON.stringify({ ...this.#remembered(), [keyOf(tool)]: true }, null, 2));
    } catch (error) {
      this.terminal.tell(`the decision is not remembered: ${(error as Error).message}`);
    }
  }
}

const approvalQuestion = 'call it: yes [y], no [n], or yes and remember it for this tool [a]? ';

/** The file with remembered approvals. */
export function approvalsFile({ XDG_CONFIG_HOME: config = '' }: NodeJS.ProcessEnv): string {
  return join(config === '' ? join(homedir(), '.config') : config, 'rxmcp', 'approvals.json');
}

/** Replaces a file, readable by its owner only: a reader sees the old text or the new one. */
export function writeAtomically(file: string, text: string): void {
  mkdirSync(dirname(file), { recursive: true });
  const next = `${file}.${process.pid}.tmp`;
  writeFileSync(next, `${text}\n`, { mode: 0o600 });
  renameSync(next, file);
}

function keyOf({ server, info }: ChatTool): string {
  const digest = createHash('sha256').update(
    JSON.stringify([info.description, info.inputSchema, info.annotations]),
  );
  return `${server.identity} ${info.name} ${digest.digest('hex').slice(0, 32)}`;
}
