// A registry for the rehearsal of a release and for tests: verdaccio on a free port of 127.0.0.1, with its packages in a folder.
import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { runServer } from 'verdaccio';

/**
 * Serves the packages of this project from a folder, and all others from the registry that npm is configured with.
 * @param {string} folder
 */
export async function startRegistry(folder) {
  const own = { access: '$all', publish: '$all' };
  const server = await runServer({
    // Verdaccio resolves relative paths, and finds its own files, from here.
    self_path: join(folder, 'config.yaml'),
    storage: join(folder, 'storage'),
    auth: { htpasswd: { file: join(folder, 'htpasswd'), max_users: -1 } },
    uplinks: { others: { url: configuredRegistry(), timeout: '60s' } },
    packages: { rxmcp: own, '@rxmcp/*': own, '**': { access: '$all', proxy: 'others' } },
    max_body_size: '10mb',
    web: { enable: false },
    log: { type: 'stderr', level: 'fatal' },
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = `http://127.0.0.1:${server.address().port}/`;
  return {
    url,
    env: environmentOf(folder, url),
    async close() {
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
}

function configuredRegistry() {
  const windows = process.platform === 'win32';
  return spawnSync('npm', ['config', 'get', 'registry'], { encoding: 'utf8', shell: windows }).stdout.trim();
}

/** npm uses the local registry, and no settings or cache of this machine. A registry asks for a token even where it accepts any. */
function environmentOf(folder, url) {
  const userconfig = join(folder, 'npmrc');
  writeFileSync(userconfig, `registry=${url}\n${url.replace(/^http:/, '')}:_authToken=none\n`);
  // A program under test is not one of the test runner.
  const kept = Object.entries(process.env).filter(
    ([name]) => !/^npm_/i.test(name) && !/^(VITEST|NODE_OPTIONS|NODE_ENV|NODE_TEST_CONTEXT)/.test(name),
  );
  return {
    ...Object.fromEntries(kept),
    npm_config_userconfig: userconfig,
    npm_config_cache: join(folder, 'cache'),
    npm_config_audit: 'false',
    npm_config_fund: 'false',
  };
}
