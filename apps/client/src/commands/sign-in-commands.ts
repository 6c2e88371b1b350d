import type { Auth, AuthStatus } from 'rxmcp/auth';
import { firstValueFrom } from 'rxjs';
import {
  command,
  type Command,
  type CommandDefinition,
  type Input,
  type OptionTable,
  type Program,
  type TargetWord,
} from '../command.js';
import { connectionOptions } from '../connection/options.js';
import { ConnectionError, exits } from '../failure.js';
import { personRedirect } from '../target/redirect.js';
import { targetOf } from '../target/resolve.js';
import { loadAuth } from '../target/sign-in.js';
import { UsageError } from '@rxmcp/app-serving/usage-error';

const ownOptions = { config: connectionOptions.config } as const satisfies OptionTable;

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

/** Whether a request had no response: `fetch` then fails with a cause that has a code of the system. */
function isUnreachable(error: unknown): boolean {
  const { cause } = Object(error) as { cause?: { cause?: { code?: unknown } } };
  return typeof cause?.cause?.code === 'string';
}

/** A command about the sign-in to a server. */
interface SignInCommandDefinition<Table extends OptionTable> extends Pick<
  CommandDefinition<Table>,
  'details' | 'example' | 'options'
> {
  run(url: string, program: Program, input: Input<Table>): Promise<number>;
}

/** Defines a command whose target is the URL of a server that may want a sign-in. */
function signInCommand<Table extends OptionTable = Record<never, never>>(
  definition: SignInCommandDefinition<Table>,
): Command {
  return command({
    ...definition,
    target: 'one',
    targetHelp:
      'TARGET is an http or https URL, or the name of a server with such a URL in the file of --config.',
    options: { ...definition.options, ...ownOptions } as Table & typeof ownOptions,
    async run(input, program) {
      const { config } = input.options as { readonly config?: string };
      const settings = { config, transport: undefined, headers: {}, env: {} };
      const target = await targetOf(input.target, settings, program.env);
      if (target.kind !== 'url' || !/^https?:/i.test(target.url) || !URL.canParse(target.url))
        throw new UsageError(
          `${thing(input.target)} is ${target.kind === 'url' ? 'not an http or https URL' : 'a command, not a URL'}: only http and https servers have a sign-in`,
        );
      return definition.run(target.url, program, input as unknown as Input<Table>);
    },
  });
}

function thing(word: TargetWord | undefined): string {
  return JSON.stringify(Array.isArray(word) ? word.join(' ') : word);
}

/** Prints what there is of a sign-in. Returns whether it is valid. */
async function printSignIn(url: string, auth: Auth, { output }: Program): Promise<boolean> {
  const status: AuthStatus = await firstValueFrom(auth.status$(url));
  const { expiresAt } = status.state === 'authorized' ? status : {};
  const isSignedIn = status.state === 'authorized' && (expiresAt === undefined || expiresAt > Date.now());
  const scopes = isSignedIn ? status.scopes : [];
  output.print(
    {
      url,
      signedIn: isSignedIn,
      ...(isSignedIn ? { scopes } : {}),
      ...(isSignedIn && expiresAt !== undefined ? { expiresAt: new Date(expiresAt).toISOString() } : {}),
    },
    (page) =>
      page.line(
        isSignedIn
          ? `signed in to ${url}${scopes.length === 0 ? '' : ` for ${scopes.join(', ')}`}`
          : `not signed in to ${url}`,
      ),
  );
  return isSignedIn;
}
