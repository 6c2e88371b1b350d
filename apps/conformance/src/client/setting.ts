import { type Offer, type Remote, defineClient } from 'rxmcp';
import { http } from 'rxmcp/http';
import { signInOf } from './sign-in.js';

/** The input of the suite for the client under test. */
export interface Setting {
  readonly scenario: string;
  readonly url: string;
  /** The protocol revision to use. */
  readonly version: string;
  /** What a scenario adds, such as the calls to make. */
  readonly context: Readonly<Record<string, unknown>>;
}

/** Reads the URL and what the environment says. Undefined where there is no URL or no scenario. */
export function readSetting(args: readonly string[], env: NodeJS.ProcessEnv): Setting | undefined {
  const { MCP_CONFORMANCE_SCENARIO: scenario, MCP_CONFORMANCE_PROTOCOL_VERSION: version } = env;
  const [url] = args;
  if (url === undefined || scenario === undefined) return undefined;
  return {
    scenario,
    url,
    version: version ?? '2025-11-25',
    context: JSON.parse(env['MCP_CONFORMANCE_CONTEXT'] ?? '{}') as Setting['context'],
  };
}

/** How long to wait for a connection, in milliseconds: the suite starts the clients of all scenarios at once, and limits their time. */
const connectMs = 60_000;

/** Connects in the revision of the scenario, runs `act` and closes. */
export async function withServer(
  setting: Setting,
  act: (remote: Remote) => Promise<unknown>,
  offers: readonly Offer[] = [],
): Promise<void> {
  const { scenario, url, version, context } = setting;
  const options = scenario.startsWith('auth/') ? { auth: await signInOf(scenario, context) } : {};
  const info = { name: 'rxmcp-conformance', version: '1.0.0' };
  const client = defineClient({ info, offers, versions: [version] });
  const remote = await client.connect(http(url, options), { timeoutMs: connectMs });
  try {
    await act(remote);
  } finally {
    await remote.close();
  }
}
