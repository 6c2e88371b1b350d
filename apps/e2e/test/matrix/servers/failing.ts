import type { Server } from 'rxmcp';
import { defineServer, offerMethod, RpcError } from 'rxmcp';
import { offerPrompts, prompt } from 'rxmcp/prompts';
import { offerResources, resource } from 'rxmcp/resources';
import { offerTools, tool, ToolError } from 'rxmcp/tools';
import * as z from 'zod';

const secret = 'password=hunter2 at /srv/private';

const broken = (): never => {
  throw new Error(secret);
};
const refusing = (): never => {
  throw new RpcError(1042, 'the quota is used up', { resetsInMs: 5 });
};

/** Handlers that throw: an error of the author's own, one for the model, and one that must not be shown. */
export function failing(): Server {
  return defineServer({
    info: { name: 'failing', version: '1.0.0' },
    offers: [
      offerTools([
        tool('broken', {}, broken),
        tool('refusing', {}, refusing),
        tool('failing', {}, () => {
          throw new ToolError('the file is locked, try again later');
        }),
        tool('strict', { input: z.object({ count: z.number().max(3) }) }, () => 'ran'),
      ]),
      offerPrompts([prompt('broken', {}, broken), prompt('refusing', {}, refusing)]),
      offerResources([
        resource('test://broken', {}, broken),
        resource('test://refusing', {}, refusing),
        resource('test://gone', {}, () => null),
      ]),
      offerMethod('test/broken', {}, broken),
      offerMethod('test/refusing', {}, refusing),
    ],
  });
}
