import { memory } from '@rxmcp/memory';
import { Subscription } from 'rxjs';
import { expect, it } from 'vitest';
import { defineClient, defineServer, meter, offerMethod, once } from '../../src/index.js';
import { eras } from '../interceptors/pair.js';

it.each(eras)(
  '%s: the streams of a server outlive its connections and its serving, and never end',
  async (_era, version) => {
    const fails = offerMethod('x/fails', {}, () => {
      throw new Error('told');
    });
    const server = defineServer({ info: { name: 's', version: '1' }, offers: [fails], stats: meter() });
    const open: number[] = [];
    const faults: string[] = [];
    const ends: string[] = [];
    const heard = new Subscription();
    const end = (name: string) => ({
      complete: () => void ends.push(name),
      error: () => void ends.push(name),
    });
    heard.add(
      server.connections$.subscribe({ next: ({ length }) => open.push(length), ...end('connections$') }),
    );
    heard.add(server.faults$.subscribe({ next: ({ code }) => faults.push(code), ...end('faults$') }));
    heard.add(server.stats$.subscribe(end('stats$')));
    heard.add(server.alerts$.subscribe(end('alerts$')));
    for (let serving = 1; serving <= 2; serving += 1) {
      const wire = memory();
      const handle = wire.serve(server);
      const client = defineClient({ info: { name: 'c', version: '1' }, versions: [version] });
      const remote = await client.connect(wire);
      await once(remote.request('x/fails')).catch(() => undefined);
      await remote.close();
      await handle.drain();
      await handle.close();
      expect([open.at(-1), faults.length]).toEqual([0, serving]);
    }
    heard.unsubscribe();
    // A handshake reports a name, which is a change of what is open too.
    expect(open.filter((count, index) => count !== open[index - 1])).toEqual([0, 1, 0, 1, 0]);
    expect(ends).toEqual([]);
  },
);
