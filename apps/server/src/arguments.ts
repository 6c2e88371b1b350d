import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import type { DemoServerOptions } from './demo-server.js';
import { carriers } from './listen/mounts.js';
import type { Ports } from './listen/listener.js';
import type { CertificateFiles } from './listen/read-certificate.js';
import { stateKeysOf, tokensOf } from './secrets.js';
import { UsageError } from './usage.js';

/** A command line and its environment, read. */
export interface Invocation {
  readonly server: DemoServerOptions;
  readonly stdio: boolean;
  readonly ports: Ports;
  readonly tls: CertificateFiles | undefined;
  /** Who may call over a network, by principal; undefined = everybody on this machine. */
  readonly tokens: Readonly<Record<string, string>> | undefined;
}

const thisRepository = fileURLToPath(new URL('../../..', import.meta.url));

/** Reads the command line, `RXMCP_STATE_KEYS` and `RXMCP_TOKENS`. Throws a UsageError. */
export function readArguments(args: readonly string[], env: NodeJS.ProcessEnv): Invocation {
  const values = parsed(args);
  const ports = portsOf(values);
  const listens = Object.keys(ports).length > 0;
  const tls = tlsOf(values);
  if (tls !== undefined && !listens)
    throw new UsageError('--tls-cert and --tls-key need --http, --sse or --ws');
  const stateKeys = stateKeysOf(env['RXMCP_STATE_KEYS']);
  return {
    server: {
      root: values.root ?? thisRepository,
      ...protocolOf(values.protocol),
      ...(stateKeys === undefined ? {} : { stateKeys }),
    },
    stdio: values.stdio ?? !listens,
    ports,
    tls,
    tokens: tokensOf(env['RXMCP_TOKENS']),
  };
}

type Values = ReturnType<typeof parsed>;

function parsed(args: readonly string[]) {
  const text = { type: 'string' } as const;
  try {
    return parseArgs({
      args: [...args],
      options: {
        stdio: { type: 'boolean' },
        http: text,
        sse: text,
        ws: text,
        'tls-cert': text,
        'tls-key': text,
        root: text,
        protocol: text,
      },
    }).values;
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error), true);
  }
}

function portsOf(values: Values): Ports {
  const wanted = carriers.flatMap((carrier) => {
    const text = values[carrier];
    return text === undefined ? [] : [[carrier, portOf(carrier, text)] as const];
  });
  return Object.fromEntries(wanted);
}

function portOf(option: string, text: string): number {
  const port = /^\d{1,5}$/.test(text) ? Number(text) : Infinity;
  if (port < 2 ** 16) return port;
  throw new UsageError(
    `--${option} ${JSON.stringify(text)} is not a port: pass a number up to 65535, or 0 for a free port`,
  );
}

function tlsOf({ 'tls-cert': cert, 'tls-key': key }: Values): CertificateFiles | undefined {
  if (cert === undefined && key === undefined) return undefined;
  if (cert === undefined || key === undefined)
    throw new UsageError('--tls-cert and --tls-key need each other');
  return { cert, key };
}

function protocolOf(protocol = 'auto'): Pick<DemoServerOptions, 'eras' | 'versions'> {
  if (protocol === 'auto') return {};
  if (protocol === 'modern' || protocol === 'legacy') return { eras: [protocol] };
  if (/^\d{4}-\d{2}-\d{2}$/.test(protocol)) return { versions: [protocol] };
  throw new UsageError(`--protocol ${JSON.stringify(protocol)} must be auto, modern, legacy or a date`);
}
