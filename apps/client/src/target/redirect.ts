import type { Redirect } from 'rxmcp/auth';
import { openPage } from '../asked/page.js';
import type { Program } from '../command.js';

type Person = Pick<Program, 'terminal' | 'env' | 'signal'>;

/**
 * Loads how a person signs in: with the browser of this machine, or with `pastes` with a browser elsewhere, whose last address they
 * paste.
 */
export async function personRedirect(
  { terminal, env, signal }: Person,
  pastes = terminal.isInteractive && !hasBrowser(env),
): Promise<Redirect> {
  const { loopbackRedirect, pasteRedirect } = await import('rxmcp/auth/node');
  if (pastes)
    return pasteRedirect({
      show: ({ href }) =>
        terminal.say(
          `Open this address in any browser, and sign in:\n${href}\nAt the end the browser cannot load a page. Paste the address of that page here.`,
        ),
      ask: (question, until) => terminal.talk(() => terminal.ask(question, AbortSignal.any([until, signal]))),
    });
  return loopbackRedirect({
    open({ href }) {
      terminal.say(`Sign in with your browser:\n${href}`);
      // Where it does not open, the person opens it.
      void openPage(href, env);
    },
  });
}

/** Whether a browser can be opened: elsewhere than on Linux there always is one. */
function hasBrowser({ BROWSER = '', DISPLAY = '', WAYLAND_DISPLAY = '' }: NodeJS.ProcessEnv): boolean {
  return process.platform !== 'linux' || `${BROWSER}${DISPLAY}${WAYLAND_DISPLAY}` !== '';
}

/**
 * Has a redirect ask the person first, once for each server and for the scopes that it needs in addition. It rejects where they
 * decline.
 */
export function offered(person: Person, missingScopes: () => string): Redirect {
  const { terminal, signal } = person;
  const declined = new Set<string>();
  return {
    async start(name) {
      const missing = missingScopes();
      const offer = `${name} ${missing}`;
      if (declined.has(offer)) throw await declinedError();
      const [issuer, resource] = name.split(' ');
      const more = missing === '' ? '' : `\nIt needs the scopes ${missing}.`;
      const answer = await terminal.talk(() => {
        terminal.say(`--- ${resource} requires a sign-in at ${issuer}.${more}`);
        return terminal.ask('sign in now: yes [y] or no [n]? ', signal);
      });
      if (!/^y(?:es)?$/i.test(answer?.trim() ?? '')) {
        declined.add(offer);
        throw await declinedError();
      }
      return (await personRedirect(person)).start(name);
    },
  };
}

async function declinedError(): Promise<Error> {
  const { AuthError } = await import('rxmcp/auth');
  return new AuthError('ACCESS_DENIED', 'the person declined to sign in');
}
