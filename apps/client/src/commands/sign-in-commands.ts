import { ConnectionError, exits } from '../failure.js';
import { personRedirect } from '../target/redirect.js';
import { loadAuth } from '../target/sign-in.js';
import { printSignIn, signInCommand } from './sign-in-command.js';

export const loginCommand = signInCommand({
  options: {
    paste: {
      help: 'Reads the address that a browser on another machine ends at. The default at a terminal without a display.',
    },
    scope: { value: 'SCOPE', repeats: true, help: 'What to ask for. Default: what the server names.' },
  },
  details:
    'Opens the browser, and waits up to 5 minutes until it comes back. Replaces an earlier sign-in once it succeeds.\n' +
    'The tokens are kept in a file that only you can read, and all commands use them.',
  example: 'rxmcp login https://example.com/mcp',
  async run(url, program, { options: { scope, paste } }) {
    const { env, signal } = program;
    const auth = await loadAuth(env, {
      ...(scope === undefined ? {} : { scopes: scope }),
      redirect: await personRedirect(program, paste),
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

export const logoutCommand = signInCommand({
  details: 'Forgets the tokens for a server, and revokes them where its authorization server can.',
  example: 'rxmcp logout https://example.com/mcp',
  async run(url, program) {
    const auth = await loadAuth(program.env);
    await auth.signOut(url);
    await printSignIn(url, auth, program);
    return exits.good;
  },
});

export const authCommand = signInCommand({
  details: 'The exit code is 1 without a valid sign-in. A token that ends soon is renewed first.',
  example: 'rxmcp auth https://example.com/mcp',
  async run(url, program) {
    const auth = await loadAuth(program.env);
    // Reads what is kept.
    await auth.headers({ method: 'POST', url });
    return (await printSignIn(url, auth, program)) ? exits.good : exits.answered;
  },
});

/** Whether a request had no answer: `fetch` then fails with a cause that has a code of the system. */
function isUnreachable(error: unknown): boolean {
  const { cause } = Object(error) as { cause?: { cause?: { code?: unknown } } };
  return typeof cause?.cause?.code === 'string';
}
