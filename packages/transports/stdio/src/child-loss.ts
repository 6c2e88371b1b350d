import { TransportError } from '@rxmcp/transport';
import { printable } from './noise.js';

/** What is known of a child that ended by itself. */
export interface LossFacts {
  readonly command: string;
  readonly exitCode: number | null;
  readonly signal: NodeJS.Signals | null;
  /** The last of what it wrote to stderr. */
  readonly stderr: string;
}

/** The error of a child that ended by itself: in order with exit code 0, lost otherwise. */
export function childLoss({ command, ...details }: LossFacts): TransportError {
  const { exitCode, signal, stderr } = details;
  const how = signal === null ? `exited with code ${String(exitCode)}` : `was ended by ${signal}`;
  const lastLine = stderr.trimEnd().split('\n').at(-1)?.trim() ?? '';
  const why = lastLine === '' ? '' : `: ${printable(lastLine)}`;
  const code = exitCode === 0 ? 'PEER_CLOSED' : 'CONNECTION_LOST';
  return new TransportError(code, `"${command}" ${how}${why}`, { details });
}
