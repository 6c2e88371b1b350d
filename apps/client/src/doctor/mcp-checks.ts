import type { Remote } from 'rxmcp';
import { once, RxmcpError } from 'rxmcp';
import { prompts } from 'rxmcp/prompts';
import { resources } from 'rxmcp/resources';
import { type ToolInfo, tools } from 'rxmcp/tools';
import { hasSession } from '../connection/era.js';
import { exits } from '../failure.js';
import { counted } from '../printable.js';
import { type Check, CheckError } from './check.js';
import { unportable } from './portability.js';

/** The checks of the protocol. `connect` opens the remote, which the caller closes. */
export function mcpChecks(connect: () => Promise<Remote>): readonly Check[] {
  let opening: Promise<Remote> | undefined;
  const remote = (): Promise<Remote> => (opening ??= connect());
  let found: readonly ToolInfo[] = [];
  return [
    {
      name: 'era',
      // Any other failure is that of the next check.
      run: async () => {
        const open = await remote().catch((error: unknown) => {
          const { cause } = error as { cause?: unknown };
          if (RxmcpError.is(cause, 'NO_COMMON_VERSION')) throw error;
          return undefined;
        });
        if (open === undefined) return 'unknown yet';
        return `${hasSession(open) ? 'legacy' : 'modern'}, revision ${open.version}`;
      },
    },
    {
      name: 'initialize',
      run: async () => {
        const { info } = await remote();
        return info === undefined ? 'the server has no name' : `${info.name} ${info.version}`;
      },
    },
    {
      name: 'capabilities',
      run: async () => {
        const names = Object.keys((await remote()).capabilities);
        if (names.length > 0) return names.join(', ');
        throw new CheckError(
          'the server declares no capabilities, so that clients use nothing of it',
          'Declare the capability of what it offers, such as tools',
          exits.answered,
        );
      },
    },
    {
      name: 'lists',
      run: async () => {
        const open = await remote();
        found = await once(tools(open).list());
        const uris = (await once(resources(open).list())).map(({ uri }) => uri);
        const named = (await once(prompts(open).list())).map(({ name }) => name);
        rejectRepeated(
          'tools',
          found.map(({ name }) => name),
        );
        rejectRepeated('resources', uris);
        rejectRepeated('prompts', named);
        return [
          counted(found.length, 'tool'),
          counted(uris.length, 'resource'),
          counted(named.length, 'prompt'),
        ].join(', ');
      },
    },
    {
      name: 'schemas',
      run: () => {
        const [first] = found.flatMap((tool) => unportable(tool) ?? []);
        if (first !== undefined) throw new CheckError(first.cause, first.fix, exits.answered);
        return Promise.resolve(found.length === 0 ? 'no tools' : 'all tools suit the APIs of models');
      },
    },
  ];
}

function rejectRepeated(kind: string, names: readonly string[]): void {
  const twice = names.find((name, at) => names.indexOf(name) !== at);
  if (twice !== undefined)
    throw new CheckError(
      `the list of ${kind} has ${JSON.stringify(twice)} twice`,
      'Give each a name of its own',
      exits.answered,
    );
}
