import { spawn } from 'node:child_process';
import type { ElicitUrlHandler, ElicitUrlRequest, ElicitUrlResult } from 'rxmcp/elicitation';
import { quoted } from '../printable.js';
import type { Terminal } from '../terminal.js';
import { nameOf, warned } from './server-name.js';

/** Shows a server's URLs at the terminal, and opens one once the person agrees; declines them if no user is present. */
export function terminalPages(terminal: Terminal, env: NodeJS.ProcessEnv): ElicitUrlHandler {
  return (request, ctx) => {
    if (terminal.asks) return terminal.talk(() => agreed(terminal, request, nameOf(ctx), ctx.signal, env));
    terminal.tell(`declined to open a page of the server, since no user is present to agree: ${request.url}`);
    return { action: 'decline' };
  };
}

/** Asks the person to open one page; without `completed` the end of their visit is not reported. */
export async function agreed(
  terminal: Terminal,
  {
    message,
    url,
    host,
    warnings,
    completed,
  }: Pick<ElicitUrlRequest, 'message' | 'url' | 'host' | 'warnings' | 'completed'>,
  server: string,
  signal: AbortSignal,
  env: NodeJS.ProcessEnv,
): Promise<ElicitUrlResult> {
  terminal.say(`--- ${server} asks you to open a page:\n${quoted(message)}`);
  terminal.say(`host: ${host}, full URL:\n${url}`);
  warned(terminal, warnings);
  const answer = await terminal.ask('open it [o], decline [d] or cancel [c]? ', signal);
  const word = answer?.trim().toLowerCase();
  if (word === 'd' || word === 'decline') return { action: 'decline' };
  if (word !== 'o' && word !== 'open it') return { action: 'cancel' };
  const isOpen = await openPage(url, env);
  terminal.say(
    isOpen ? 'The page is open; continue there.' : 'The page could not be opened: open it yourself.',
  );
  void completed?.then(() => terminal.tell(`${server} says that you are done there`));
  return { action: 'accept' };
}

const patienceMs = 2_000;

/**
 * Opens a url of the web in the person's browser, or in the program that `BROWSER` names. No shell reads the url. Resolves
 * with whether it is open, and never rejects; a program that still runs after 2 s is taken for one.
 */
export function openPage(url: string, env: NodeJS.ProcessEnv): Promise<boolean> {
  const [command, ...args] = openerOf(env);
  return new Promise<boolean>((resolve) => {
    // It throws for a url that is longer than the system allows.
    const child = spawn(command, [...args, url], { env, detached: true, stdio: 'ignore', shell: false });
    const running = setTimeout(() => resolve(true), patienceMs);
    child.once('error', () => done(false));
    child.once('exit', (code) => done(code === 0));
    const done = (isOpen: boolean): void => {
      clearTimeout(running);
      resolve(isOpen);
    };
    // The browser stays when this program goes.
    child.unref();
  }).catch(() => false);
}

function openerOf({ BROWSER: browser = '' }: NodeJS.ProcessEnv): readonly [string, ...string[]] {
  if (browser !== '') return [browser];
  switch (process.platform) {
    case 'darwin':
      return ['open'];
    case 'win32':
      return ['rundll32', 'url.dll,FileProtocolHandler'];
    default:
      return ['xdg-open'];
  }
}
