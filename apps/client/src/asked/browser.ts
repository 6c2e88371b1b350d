import { spawn } from 'node:child_process';

const patienceMs = 2_000;

/**
 * Opens a url of the web in the person's browser, or in the program that `BROWSER` names. No shell reads the url. Resolves
 * with whether it is open; a program that still runs after 2 s is taken for one.
 */
export function openPage(url: string, env: NodeJS.ProcessEnv): Promise<boolean> {
  const [command, ...args] = openerOf(env);
  return new Promise((resolve) => {
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
  });
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
