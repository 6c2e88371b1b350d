import { loadAuth } from '../target/sign-in.js';
import { ConnectionError, exits } from '../failure.js';
import { openPage } from '../asked/page.js';
import { printSignIn, signInCommand } from './sign-in-command.js';

export const loginCommand = signInCommand({
  options: {
    scope: { value: 'SCOPE', repeats: true, help: 'What to ask for. Default: what the server names.' },
  },
  details:
    'Opens the browser, and waits up to 5 minutes until it comes back. Replaces an earlier sign-in once it succeeds.\n' +
    'The tokens are kept in a file that only you can read, and all commands use them.',
  example: 'rxmcp login https://example.com/mcp',
  async run(url, program, { options: { scope } }) {
    const { terminal, env, signal } = program;
    const { loopbackRedirect } = await import('rxmcp/auth/node');
    const auth = await loadAuth(env, {
      ...(scope === undefined ? {} : { scopes: scope }),
      redirect: loopbackRedirect({
        open(page) {
          terminal.say(`Sign in with your browser:\n${page.href}`);
          // Where it does not open, the person opens it.
          void openPage(page.href, env);
        },
      }),
    });
    const aborted = new Promise<never>((_, reject) =>
      signal.addEventListener('abort', () => reject(new Error('the sign-in was cancelled'))),
    );
    await Promise.race([auth.signIn(url, { again: true }), aborted]).catch((error: unknown) => {
      throw isUnreachable(error) ? new ConnectionError(error) : error;
    });
    return (await printSignIn(url, auth, program)) ? exits.good : exits.answered;
  },
});

/** Whether a request had no answer: `fetch` then fails with a cause that has a code of the system. */
function isUnreachable(error: unknown): boolean {
  const { cause } = Object(error) as { cause?: { cause?: { code?: unknown } } };
  return typeof cause?.cause?.code === 'string';
}
