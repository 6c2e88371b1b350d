import { type Remote, once, RxmcpError, type JsonObject } from 'rxmcp';
import { prompts } from 'rxmcp/prompts';
import { resources } from 'rxmcp/resources';
import { type ToolInfo, tools } from 'rxmcp/tools';
import { hasSession } from '../connection/era.js';
import { exits } from '../failure.js';
import { counted } from '../printable.js';
import { type Check, CheckError } from './check.js';

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

/** What the APIs of models reject in a tool, and how to mend it; undefined where all accept it. */
export function unportable({ name, inputSchema }: ToolInfo): { cause: string; fix: string } | undefined {
  const tool = `the tool ${JSON.stringify(name)}`;
  if (!/^[a-zA-Z0-9_-]{1,64}$/.test(name))
    return {
      cause: `${tool} has a name that APIs of models reject`,
      fix: 'Use 1 to 64 of the characters a-z A-Z 0-9 _ -',
    };
  const schema = inputSchema as JsonObject;
  if (schema['type'] !== 'object')
    return { cause: `${tool}: its input schema has no "type": "object"`, fix: 'Describe an object' };
  const combined = ['anyOf', 'oneOf', 'allOf', '$ref'].find((word) => schema[word] !== undefined);
  if (combined !== undefined)
    return {
      cause: `${tool}: its input schema has "${combined}" at the top, which APIs of models reject`,
      fix: 'Move it into a property',
    };
  const outside = outsideReference(schema);
  return outside === undefined
    ? undefined
    : {
        cause: `${tool}: its input schema refers to ${JSON.stringify(outside)}, which no client loads`,
        fix: 'Move the schema into "$defs"',
      };
}

/** The first `$ref` that leaves the schema. */
function outsideReference(value: unknown): string | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  const { $ref } = value as { $ref?: unknown };
  if (typeof $ref === 'string' && !$ref.startsWith('#')) return $ref;
  for (const item of Object.values(value)) {
    const found = outsideReference(item);
    if (found !== undefined) return found;
  }
  return undefined;
}
