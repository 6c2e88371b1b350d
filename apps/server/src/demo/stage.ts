import { randomUUID } from 'node:crypto';
import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { defineClient, type EraId, offerNotification, type Remote } from 'rxmcp';
import { offerElicitation } from 'rxmcp/elicitation';
import { offerRoots, type Root } from 'rxmcp/roots';
import { offerSampling } from 'rxmcp/sampling';
import type { Transport } from 'rxmcp/transport';
import { BehaviorSubject, type Observable, ReplaySubject } from 'rxjs';
import { version as ownVersion } from '../version.js';
import type { Primitive } from './served.js';

/** A client at a server, with the answers it gives when it is asked. */
export interface Stage {
  readonly remote: Remote;
  /** The served folder. */
  readonly folder: string;
  /** The nonces of the server's own notification. @stream event, replays all */
  readonly notified$: Observable<unknown>;
  /** What the client's model was given last, and what it says. */
  readonly model: { heard: string; says: string };
  /** What the client's user writes into a form. */
  readonly user: { writes: string };
  /** A text that was never there before. */
  fresh(): string;
  /** Writes a file below the served folder; gives its uri. */
  write(path: string, text: string): Promise<string>;
  /** Names other roots for as long as the work takes; until then the whole folder is the root. */
  within<T>(roots: readonly Root[], work: () => Promise<T>): Promise<T>;
  close(): Promise<void>;
}

/** What a stage is made of. */
interface StageOptions {
  readonly transport: Transport;
  readonly era: EraId;
  readonly version: string;
  readonly folder: string;
  /** A client-side primitive that answers with something else than it should. */
  readonly broken: Primitive | undefined;
}

/** Connects a client. Rejects where it cannot. */
export async function openStage(options: StageOptions): Promise<Stage> {
  const { transport, era, version, folder, broken } = options;
  const all: readonly Root[] = [{ uri: pathToFileURL(folder).href, name: 'everything' }];
  const roots = new BehaviorSubject(all);
  const notified = new ReplaySubject<unknown>();
  const model = { heard: '', says: '' };
  const user = { writes: '' };
  const client = defineClient({
    info: { name: 'rxmcp-demo-client', version: ownVersion },
    eras: [era],
    versions: [version],
    offers: [
      offerRoots(broken === 'roots' ? all : roots),
      offerSampling(
        (params) => {
          model.heard = JSON.stringify(params.messages);
          const text = broken === 'sampling' ? 'what it always says' : model.says;
          return { role: 'assistant', content: { type: 'text', text }, model: 'demo-model' };
        },
        { approve: () => ({ action: 'approve' }) },
      ),
      offerElicitation(() => ({
        action: 'accept',
        content: { body: broken === 'elicitation' ? 'what is always written' : user.writes, confirm: true },
      })),
      offerNotification('demo/notified', ({ nonce }) => notified.next(nonce)),
    ],
  });
  const remote = await client.connect(transport);
  return {
    remote,
    folder,
    notified$: notified.asObservable(),
    model,
    user,
    fresh: () => randomUUID().slice(0, 13),
    async write(path, text) {
      const file = join(folder, path);
      await mkdir(dirname(file), { recursive: true });
      await writeFile(file, text);
      return pathToFileURL(file).href;
    },
    async within(narrowed, work) {
      roots.next(narrowed);
      try {
        return await work();
      } finally {
        roots.next(all);
      }
    },
    close: () => remote.close(),
  };
}
