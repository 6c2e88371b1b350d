import type { Auth, AuthStatus } from 'rxmcp/auth';
import { firstValueFrom } from 'rxjs';
import type { Command, CommandDefinition, Input, OptionTable, Program, TargetWord } from '../command.js';
import { command } from '../command.js';
import { connectionOptions } from '../connection/options.js';
import { targetOf } from '../target/resolve.js';
import { UsageError } from '@rxmcp/app-serving/usage-error';

const ownOptions = { config: connectionOptions.config } as const satisfies OptionTable;

/** A command about the sign-in to a server. */
export interface SignInCommandDefinition<Table extends OptionTable> extends Pick<
  CommandDefinition<Table>,
  'details' | 'example' | 'options'
> {
  run(url: string, program: Program, input: Input<Table>): Promise<number>;
}

/** Defines a command whose target is the URL of a server that may want a sign-in. */
export function signInCommand<Table extends OptionTable = Record<never, never>>(
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
export async function printSignIn(url: string, auth: Auth, { output }: Program): Promise<boolean> {
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
