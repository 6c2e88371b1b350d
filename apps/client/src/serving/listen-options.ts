import { moduleOption, placeOptions } from '@rxmcp/app-serving/options';
import { portsOf } from '@rxmcp/app-serving/ports';
import type { ServingOptions } from '@rxmcp/app-serving/serving';
import { tokensOf } from '@rxmcp/app-serving/tokens';
import type { OptionTable, OptionValues } from '../command.js';

/** Options of the commands that serve another server. */
export const listenOptions = {
  ...placeOptions,
  listen: moduleOption,
} as const satisfies OptionTable;

/** What is said of {@link listenOptions} in the help. */
export const listenDetails = 'RXMCP_TOKENS=\'{"name":"token"}\' says who may call at a port.';

/** Reads where is served. Throws a UsageError. */
export function servingOptions(
  values: OptionValues<typeof listenOptions>,
  { RXMCP_TOKENS }: NodeJS.ProcessEnv,
): ServingOptions {
  const ports = portsOf(values);
  const { listen } = values;
  const isAlone = Object.keys(ports).length === 0 && listen === undefined;
  return { stdio: values.stdio ?? isAlone, ports, listen, tokens: tokensOf(RXMCP_TOKENS) };
}
