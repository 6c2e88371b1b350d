import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import type { Socket } from 'node:net';
import { LineReader } from '@rxmcp/jsonrpc';
import type { RelayEnd } from '@rxmcp/transport-tck';

/** Copies between the IPC channel of Node.js, which is its file 3, and a pipe, until one of them ends. */
const copies = 'cat <&3 >&4 & copier=$!; cat <&4 >&3; kill $copier 2>/dev/null; exit 0';

/** This process's end of an IPC channel, with a pipe to what the other end reads and writes. */
export interface IpcEnd extends RelayEnd {
  readonly child: ChildProcess;
  /** Settles when the process that copies has ended. */
  readonly ended: Promise<unknown>;
}

/** Opens an IPC channel to a process that copies. `each` receives the text of every message, `over` is called at the end. */
export function ipcEnd(each: (text: Uint8Array) => void, over: () => void): IpcEnd {
  const child = spawn('/bin/sh', ['-c', copies], {
    stdio: ['ignore', 'inherit', 'inherit', 'ipc', 'pipe'],
    detached: true, // a group, which is killed as a whole
  });
  const pipe = child.stdio[4] as Socket;
  const encoder = new TextEncoder();
  const reader = new LineReader({
    maxLineBytes: Infinity,
    onFault: () => undefined,
    onLine: (line) => each(encoder.encode(JSON.parse(line) as string)),
  });
  pipe.on('data', (chunk: Uint8Array) => reader.push(chunk)).once('end', over);
  pipe.on('error', () => undefined); // a process that was killed
  child.once('disconnect', () => pipe.end());
  return {
    child,
    ended: once(child, 'exit'),
    write: (chunk) => void pipe.write(`${JSON.stringify(Buffer.from(chunk).toString())}\n`),
    end: () => void pipe.end(),
    cut() {
      if (child.pid !== undefined && child.exitCode === null) process.kill(-child.pid, 'SIGKILL');
    },
  };
}
