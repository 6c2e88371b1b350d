import { audit, authorize, type Interceptor, rateLimit, timeout } from 'rxmcp/interceptors';
import type { Journal } from './journal/journal.js';

/** The tools that act beyond the served folder. */
const outward: ReadonlySet<string> = new Set(['execute_command', 'github_create_issue']);

/** What holds for each request: a caller may make 500 a second, 2,000 at once after a pause, and none may take longer than 15 minutes. */
export function limits(): readonly Interceptor[] {
  return [rateLimit({ limit: 500, burst: 2_000 }), timeout({ totalTimeoutMs: 15 * 60_000 })];
}

/**
 * What holds for tools that act beyond the folder: they are for the person at the pipe and for the operators, and each
 * use of them is in the journal.
 */
export function outwardRules(journal: Journal, operators: ReadonlySet<string>): readonly Interceptor[] {
  return [
    audit({
      record({ method, target, principal, status, durationMs }) {
        if (method !== 'tools/call' || target === undefined || !outward.has(target)) return;
        const level = status === 'ok' ? 'notice' : 'warning';
        journal.record(principal, level, `${target}: ${status} after ${Math.round(durationMs)} ms`);
      },
    }),
    authorize({
      allow: ({ principal }, kind, item) =>
        kind !== 'tool' || !outward.has(item) || principal === undefined || operators.has(principal),
    }),
  ];
}
