import type { Outgoing } from '@rxmcp/transport';
import type { Measured } from '../stats/stats.js';

/** Counts an answer as it leaves; a list that was prepared is text already. */
export function countAnswer(measured: Measured, out: Outgoing): void {
  if ('text' in out) measured.answered(out.text);
  else if ('error' in out) measured.failed(out.error.code);
  else if ('result' in out) measured.answered(out.result);
}
