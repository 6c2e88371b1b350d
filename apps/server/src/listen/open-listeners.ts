import type { Acceptor } from 'rxmcp/transport';
import { type Listener, type ListenerOptions, openListener } from './listener.js';
import { type Carrier, carriers } from './mounts.js';

/** The port of each carrier that is wanted. */
export type Ports = Readonly<Partial<Record<Carrier, number>>>;

/** Opens a listener for each port, which carriers with equal ports share. Opens none where one of them cannot be. */
export async function openListeners(
  acceptor: Acceptor,
  ports: Ports,
  options: Pick<ListenerOptions, 'tls' | 'authenticate' | 'healthy'>,
): Promise<readonly Listener[]> {
  const wanted = carriers.filter((carrier) => ports[carrier] !== undefined);
  const byPort = new Map<number, Carrier[]>();
  for (const carrier of wanted) {
    const port = ports[carrier] as number;
    byPort.set(port, [...(byPort.get(port) ?? []), carrier]);
  }
  const opening = [...byPort].map(([port, shared]) =>
    openListener(acceptor, { ...options, port, carriers: shared }),
  );
  const opened = await Promise.allSettled(opening);
  const listeners = opened.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []));
  const failed = opened.find((one) => one.status === 'rejected');
  if (failed === undefined) return listeners;
  await Promise.all(listeners.map((listener) => listener.close()));
  throw failed.reason;
}
