import { execFileSync } from 'node:child_process';

/** Makes a folder a git repository, whatever this machine's settings are; returns a function that runs git in it. */
export function gitIn(root: string): (...args: readonly string[]) => void {
  const env = { ...process.env, GIT_CONFIG_GLOBAL: '/dev/null', GIT_CONFIG_NOSYSTEM: '1' };
  const run = (...args: readonly string[]): void => {
    execFileSync('git', ['-C', root, '-c', 'user.name=Ada', '-c', 'user.email=ada@example.com', ...args], {
      env,
    });
  };
  run('init', '-q');
  return run;
}
