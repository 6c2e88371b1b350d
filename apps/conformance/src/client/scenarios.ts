import { type Remote, once } from 'rxmcp';
import { offerElicitation } from 'rxmcp/elicitation';
import { prompts } from 'rxmcp/prompts';
import { resources } from 'rxmcp/resources';
import { offerRoots } from 'rxmcp/roots';
import { offerSampling } from 'rxmcp/sampling';
import { orThrow, tools } from 'rxmcp/tools';
import { type Setting, withServer } from './setting.js';

/** Returns what the client does in a scenario of the suite. */
export function scenarioOf(name: string): ((setting: Setting) => Promise<void>) | undefined {
  return name.startsWith('auth/') ? callWithTokens : scenarios.get(name);
}

const scenarios: ReadonlyMap<string, (setting: Setting) => Promise<void>> = new Map([
  ['initialize', listTools],
  ['request-metadata', declareEverything],
  ['tools_call', callAddition],
  ['sse-retry', callAndComeBack],
  ['elicitation-sep1034-client-defaults', acceptDefaults],
  ['sep-2322-client-request-state', answerBetweenRounds],
  ['http-standard-headers', useEverything],
  ['http-custom-headers', callListedTools],
  ['http-invalid-tool-headers', callAllTools],
  ['json-schema-ref-no-deref', listTools],
  ['json-schema-2020-12-preservation', sendSchemaBack],
]);

/** Lists the tools and calls each, signing in when the server asks for it. */
function callWithTokens(setting: Setting): Promise<void> {
  return withServer(setting, async (remote) => {
    for (const { name } of await once(tools(remote).list())) await once(tools(remote).call(name));
  });
}

/** Calls a tool with arguments. */
function callAddition(setting: Setting): Promise<void> {
  return withServer(setting, async (remote) => {
    await once(tools(remote).list());
    await once(tools(remote).call('add_numbers', { a: 5, b: 3 }).pipe(orThrow()));
  });
}

/** Calls a tool whose stream is closed before the response; the transport resumes it. */
function callAndComeBack(setting: Setting): Promise<void> {
  return withServer(setting, async (remote) => {
    await once(tools(remote).list());
    await once(tools(remote).call('test_reconnection').pipe(orThrow()));
  });
}

/** Makes the handshake and lists the tools. External references of their schemas must not be followed. */
function listTools(setting: Setting): Promise<void> {
  return withServer(setting, (remote) => once(tools(remote).list()));
}

/** Sends a schema back as the list has it. */
function sendSchemaBack(setting: Setting): Promise<void> {
  return withServer(setting, async (remote) => {
    const listed = await once(tools(remote).list());
    const schema = listed.find(({ name }) => name === 'json_schema_2020_12_tool')?.inputSchema;
    await once(tools(remote).call('json_schema_echo', { schema }));
  });
}

/** Declares its capabilities with every request. The server rejects the first one for its version. */
function declareEverything(setting: Setting): Promise<void> {
  return withServer(setting, (remote) => once(remote.request('tools/list')), [
    offerRoots([{ uri: 'file:///tmp', name: 'a place' }]),
    offerElicitation(() => ({ action: 'decline' })),
    offerSampling(() => ({ role: 'assistant', content: { type: 'text', text: 'Yes.' }, model: 'none' }), {
      approve: 'dangerouslyAlways',
    }),
  ]);
}

/** One call that the suite asks for. */
interface Wanted {
  readonly name: string;
  readonly arguments: object;
}

/** Lists and uses one of each. */
function useEverything(setting: Setting): Promise<void> {
  return withServer(setting, async (remote) => {
    const [tool] = await once(tools(remote).list());
    if (tool !== undefined) await once(tools(remote).call(tool.name));
    const [resource] = await once(resources(remote).list());
    if (resource !== undefined) await once(resources(remote).read(resource.uri));
    const [prompt] = await once(prompts(remote).list());
    if (prompt !== undefined) await once(prompts(remote).get(prompt.name));
  });
}

/** Makes the calls of the suite, with arguments that are also sent as headers. */
function callListedTools(setting: Setting): Promise<void> {
  const wanted = (setting.context['toolCalls'] ?? []) as readonly Wanted[];
  return withServer(setting, async (remote) => {
    await once(tools(remote).list());
    for (const call of wanted) await once(tools(remote).call(call.name, call.arguments));
  });
}

/** Calls each tool of the list. */
function callAllTools(setting: Setting): Promise<void> {
  return withServer(setting, async (remote) => {
    for (const { name } of await once(tools(remote).list()))
      await once(tools(remote).call(name, { region: 'us-west1' }));
  });
}

/** Accepts a form without input; the library adds the defaults. */
function acceptDefaults(setting: Setting): Promise<void> {
  const call = (remote: Remote): Promise<unknown> =>
    once(tools(remote).call('test_client_elicitation_defaults').pipe(orThrow()));
  return withServer(setting, call, [offerElicitation(() => ({ action: 'accept', content: {} }))]);
}

/** Answers the asks of a call, and makes another call before the first answer. */
function answerBetweenRounds(setting: Setting): Promise<void> {
  let between: Promise<unknown> | undefined;
  let remote: Remote | undefined;
  const call = (name: string): Promise<unknown> =>
    once(
      tools(remote as Remote)
        .call(name)
        .pipe(orThrow()),
    );
  return withServer(
    setting,
    async (connected) => {
      remote = connected;
      await once(tools(remote).list());
      await call('test_mrtr_echo_state');
      await call('test_mrtr_no_state');
      await call('test_mrtr_no_result_type');
    },
    [
      offerElicitation(async () => {
        await (between ??= call('test_mrtr_unrelated'));
        return { action: 'accept', content: { confirmed: true } };
      }),
    ],
  );
}
