import { UsageError } from './usage-error.js';

/** The transports of a network, by the names of their options. */
export const carriers = ['http', 'sse', 'ws'] as const;

/** One of the {@link carriers}. */
export type Carrier = (typeof carriers)[number];

/** The port of each carrier that is wanted; 0 = a free one. */
export type Ports = Readonly<Partial<Record<Carrier, number>>>;

/** Reads the ports of a command line. Throws a UsageError. */
export function portsOf(values: { readonly [Name in Carrier]?: string | undefined }): Ports {
  return Object.fromEntries(
    carriers.flatMap((carrier) => {
      const text = values[carrier];
      if (text === undefined) return [];
      const port = /^\d{1,5}$/.test(text) ? Number(text) : Infinity;
      if (port < 2 ** 16) return [[carrier, port]];
      throw new UsageError(
        `--${carrier} ${JSON.stringify(text)} is not a port: pass a number up to 65535, or 0 for a free port`,
      );
    }),
  );
}
