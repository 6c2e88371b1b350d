import type { Server } from 'rxmcp';
import { defineServer } from 'rxmcp';
import { offerResources, resource } from 'rxmcp/resources';

/** The least server of the guides: one resource that is listed. */
export function basic(): Server {
  return defineServer({
    info: { name: 'example-server', version: '1.0.0' },
    offers: [offerResources([resource('example://resource', { name: 'Example Resource' }, 'An example.')])],
  });
}
