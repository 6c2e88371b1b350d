// A registry of its own for the rehearsal of a release: verdaccio on a free port of 127.0.0.1, with its packages in a folder.
import { once } from 'node:events';
import { join } from 'node:path';
import { runServer } from 'verdaccio';

/**
 * Serves the packages of this project from a folder, and all others from another registry.
 * @param {string} folder
 * @param {string} others the URL of the registry that has all other packages
 */
export async function startRegistry(folder, others) {
  const own = { access: '$all', publish: '$all' };
  const server = await runServer({
    // Verdaccio resolves relative paths, and finds its own files, from here.
    self_path: join(folder, 'config.yaml'),
    storage: join(folder, 'storage'),
    auth: { htpasswd: { file: join(folder, 'htpasswd'), max_users: -1 } },
    uplinks: { others: { url: others, timeout: '60s' } },
    packages: { rxmcp: own, '@rxmcp/*': own, '**': { access: '$all', proxy: 'others' } },
    max_body_size: '10mb',
    web: { enable: false },
    log: { type: 'stderr', level: 'fatal' },
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${server.address().port}/`,
    async close() {
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
}
