import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { connect, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { setTimeout as sleep } from 'node:timers/promises';

const program = '/usr/bin/redis-server';

/** Why there is no Redis here; undefined = there is one. */
export const missingRedis: string | undefined = existsSync(program)
  ? undefined
  : `no ${program}: install it (apt-get install redis-server)`;

if (missingRedis !== undefined) {
  if (process.env['RXMCP_REQUIRE_REDIS'] === '1') throw new Error(missingRedis);
  console.log(`skipped, ${missingRedis}`);
}

/** A Redis server of its own. */
export interface RedisServer {
  /** Its Unix socket. */
  readonly path: string;
  stop(): Promise<void>;
}

/** Starts a Redis server that keeps nothing on disk. */
export async function startRedis(): Promise<RedisServer> {
  const folder = await mkdtemp(join(tmpdir(), 'rxmcp-redis-'));
  const path = join(folder, 'redis.sock');
  const options = ['--port', '0', '--unixsocket', path, '--save', '', '--appendonly', 'no', '--dir', folder];
  const server = spawn(program, options, { stdio: 'ignore' });
  const exited = new Promise((resolve) => server.once('exit', resolve));
  while (!(await accepts(path))) {
    if (server.exitCode !== null) throw new Error(`redis-server ended with ${String(server.exitCode)}`);
    await sleep(5);
  }
  return {
    path,
    async stop() {
      server.kill();
      await exited;
      await rm(folder, { recursive: true });
    },
  };
}

function accepts(path: string): Promise<boolean> {
  return new Promise((resolve) => {
    const socket: Socket = connect(path, () => (socket.destroy(), resolve(true)));
    socket.once('error', () => resolve(false));
  });
}
