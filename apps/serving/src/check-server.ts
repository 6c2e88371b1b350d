import { defineClient } from 'rxmcp';
import packageJson from 'rxmcp/package.json' with { type: 'json' };
import type { Transport } from 'rxmcp/transport';
import { describeError } from './describe-error.js';
import { nextStep } from './next-step.js';

/** Connects with a server once, and says what is wrong: a client that comes later only learns that it is not there. */
export async function checkServer(
  transport: Transport,
  tell: (line: string) => void,
  signal?: AbortSignal,
): Promise<void> {
  const client = defineClient({ info: { name: 'rxmcp', version: packageJson.version } });
  try {
    const remote = await client.connect(transport, {
      onFault: () => undefined,
      ...(signal === undefined ? {} : { signal }),
    });
    await remote.close();
  } catch (error) {
    if (signal?.aborted === true) return;
    const why = describeError(error);
    tell(`the server is not connected: ${why}${nextStep(why)}`);
  }
}
