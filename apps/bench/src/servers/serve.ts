import type { Readable, Writable } from 'node:stream';
import type { Contestant } from '../settings.js';
import { toolEntries } from '../tool-set.js';

/** Serves a contestant on two streams; only its own code is loaded. */
export async function serveContestant(
  contestant: Contestant,
  input: Readable,
  output: Writable,
  tools: number,
): Promise<void> {
  switch (contestant) {
    case 'floor':
      (await import('./floor-stdio.js')).serve(input, output, toolEntries(tools));
      return;
    case 'v1':
      await (await import('./v1.js')).serve(input, output, tools);
      return;
    case 'v2':
      (await import('./v2.js')).serve(input, output, tools);
      return;
    case 'rxmcp':
      (await import('./rxmcp.js')).serve(input, output, tools);
  }
}
