import { combineLatest, map } from 'rxjs';
import type { CacheHints, EraId, Offer, Server, RequestStateKey } from 'rxmcp';
import { defineServer, meter, offerMethod } from 'rxmcp';
import { offerLogging } from 'rxmcp/logging';
import { offerPrompts } from 'rxmcp/prompts';
import { offerResources } from 'rxmcp/resources';
import { type Tool, offerTools, text, tool } from 'rxmcp/tools';
import * as z from 'zod';
import { completions } from './completions.js';
import { type Folder, openFolder } from './folder/folder.js';
import { type Journal, openJournal } from './journal/journal.js';
import { type Notebook, openNotebook } from './notes/notebook.js';
import { analyzeProject } from './prompts/analyze-project.js';
import { debugError } from './prompts/debug-error.js';
import { explainCode } from './prompts/explain-code.js';
import { gitCommit } from './prompts/git-commit.js';
import { fileResources, shownText } from './resources/file-resources.js';
import { logResource } from './resources/log-resource.js';
import { noteResources } from './resources/note-resources.js';
import { analyzeCsv } from './tools/analyze-csv.js';
import { executeCommand } from './tools/execute-command.js';
import { githubCreateIssue, type GithubTarget } from './tools/github-create-issue.js';
import { searchFiles } from './tools/search-files.js';
import { summarizeFile } from './tools/summarize-file.js';
import { writeNote } from './tools/write-note.js';
import { version } from './version.js';
import { audit, authorize, type Interceptor, rateLimit, timeout } from 'rxmcp/interceptors';

/** What the demo server serves, and how. */
export interface DemoServerOptions {
  /** The folder of files; nothing outside of it is ever shown. */
  readonly root: string;
  /** @default both */
  readonly eras?: readonly EraId[];
  /** Pins protocol revisions. @default every published one */
  readonly versions?: readonly string[];
  /** Keys that seal the state of asks; servers that share them can continue each other's. @default one per process */
  readonly requestStateKeys?: readonly RequestStateKey[];
  /** Files beyond it are only counted. @default 5_000 */
  readonly maxFiles?: number;
  /** The commands that `execute_command` may run. @default none, and no such tool */
  readonly commands?: readonly string[];
  /** Where `github_create_issue` creates issues. @default nowhere, and no such tool */
  readonly github?: GithubTarget;
  /** The principals that may use both, besides callers without one. @default none */
  readonly operators?: readonly string[];
  /** Tools in addition to its own. @default none */
  readonly tools?: readonly Tool[];
  /** Changes the offers before they are served. @default no change */
  readonly adapt?: (offers: readonly Offer[]) => readonly Offer[];
}

/**
 * Describes the server of a folder: for `serveStdio`, or for `serve` of another transport. The disk is watched while at least
 * one client is connected, and over Streamable HTTP, where clients without a session come and go unseen, from the first
 * request to the end. Rejects where there is no such folder; throws a TypeError for unknown revisions and bad keys.
 */
export async function demoServer(options: DemoServerOptions): Promise<Server> {
  const {
    root,
    maxFiles,
    tools = [],
    adapt = (offers) => offers,
    commands = [],
    github,
    operators = [],
  } = options;
  const { eras, versions, requestStateKeys } = options;
  const [command, ...others] = commands;
  const reachesOut = command !== undefined || github !== undefined;
  const journal = openJournal();
  const notebook = openNotebook();
  const folder = await openFolder(root, {
    ...(maxFiles === undefined ? {} : { maxFiles }),
    warn: (message) => journal.announce('warning', message),
  });
  const shown = await folder.latest();
  const extent = shownText(shown, folder.maxFiles);
  journal.announce(shown.left > 0 || shown.cut ? 'warning' : 'info', `serving ${folder.uri}: ${extent}`);
  const server = defineServer({
    info: { name: 'rxmcp-demo', version, title: 'A folder of files' },
    instructions:
      `Serves the files of ${folder.uri}. ${extent} Read a directory to get its files, search with search_files. ` +
      'What the server did lately is in logs://recent.',
    offers: adapt([
      offerResources(resourcesOf(folder, journal, notebook)),
      offerTools([
        searchFiles(folder, journal),
        analyzeCsv(folder, journal),
        calculateSum,
        summarizeFile(folder, journal),
        writeNote(notebook, journal),
        ...(command === undefined ? [] : [executeCommand(folder, [command, ...others])]),
        ...(github === undefined ? [] : [githubCreateIssue(github)]),
        ...tools,
      ]),
      offerPrompts([gitCommit(folder, journal), explainCode, debugError, analyzeProject(folder, journal)]),
      completions(folder),
      offerLogging(),
      offerMethod('demo/echo', {}, ({ _meta, ...params }) => ({ echo: params })),
    ]),
    cacheHints,
    // The meter shows whether the event loop is blocked.
    stats: meter(),
    interceptors: reachesOut ? [...limits(), ...outwardRules(journal, new Set(operators))] : limits(),
    ...(eras === undefined ? {} : { eras }),
    ...(versions === undefined ? {} : { versions }),
    ...(requestStateKeys === undefined ? {} : { requestStateKeys }),
  });
  // Clients receive the code and the reference of a fault; only the operator sees its cause.
  server.faults$.subscribe(({ code, reference }) => {
    journal.announce(
      'error',
      reference === undefined ? `fault ${code}` : `fault ${code} (reference ${reference})`,
    );
  });
  return server;
}

/** Tools and prompts stay as they are while the process runs; who is no operator sees fewer tools. Resources change with the disk. */
const cacheHints: CacheHints = {
  'tools/list': { ttlMs: 300_000 },
  'prompts/list': { ttlMs: 300_000, scope: 'public' },
};

function resourcesOf(
  folder: Folder,
  journal: Journal,
  notebook: Notebook,
): Parameters<typeof offerResources>[0] {
  const log = logResource(journal);
  return combineLatest([fileResources(folder), noteResources(notebook)]).pipe(
    map(([files, notes]) => [...files, log, ...notes]),
  );
}

/** Adds two numbers. */
const calculateSum: Tool = tool(
  'calculate_sum',
  {
    title: 'Calculate a sum',
    description: 'Adds two numbers, such as {"a": 2, "b": 3}; gives the sum as text.',
    input: z.object({ a: z.number(), b: z.number() }),
    annotations: { readOnlyHint: true, idempotentHint: true, openWorldHint: false },
  },
  ({ a, b }) => text(String(a + b)),
);

/** The tools that act beyond the served folder. */
const outward: ReadonlySet<string> = new Set(['execute_command', 'github_create_issue']);

/** What holds for each request: a caller may make 500 a second, 2,000 at once after a pause, and none may take longer than 15 minutes. */
function limits(): readonly Interceptor[] {
  return [rateLimit({ limit: 500, burst: 2_000 }), timeout({ totalTimeoutMs: 15 * 60_000 })];
}

/**
 * What holds for tools that act beyond the folder: they are for the person at the pipe and for the operators, and each
 * use of them is in the journal.
 */
function outwardRules(journal: Journal, operators: ReadonlySet<string>): readonly Interceptor[] {
  return [
    audit({
      record({ method, target, principal, status, durationMs }) {
        if (method !== 'tools/call' || target === undefined || !outward.has(target)) return;
        const level = status === 'ok' ? 'notice' : 'warning';
        journal.record(principal, level, `${target}: ${status} after ${Math.round(durationMs)} ms`);
      },
    }),
    authorize({
      allow: ({ principal }, kind, item) =>
        kind !== 'tool' || !outward.has(item) || principal === undefined || operators.has(principal),
    }),
  ];
}
