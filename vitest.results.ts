import { writeFileSync } from 'node:fs';
import type { SerializedError, TestModule } from 'vitest/node';

/** What a run says of one package or app: whether all of its tests passed, and how many were skipped for which reason. */
interface Result {
  passed: boolean;
  skipped: Record<string, number>;
}

/** Writes the results of each package and app to the file of RXMCP_RESULTS, for `scripts/test.mjs`. */
export default class Results {
  onTestRunEnd(modules: readonly TestModule[], errors: readonly SerializedError[]): void {
    const results: Record<string, Result> = {};
    for (const module of modules) {
      const [, name = ''] = /([^/]+)\/(?:test|spec)\//.exec(module.relativeModuleId) ?? [];
      const result = (results[name] ??= { passed: errors.length === 0, skipped: {} });
      if (module.state() === 'failed') result.passed = false;
      for (const test of module.children.allTests('skipped')) {
        const { note } = test.result() as { note?: string };
        const reason = note ?? `in ${module.relativeModuleId}`;
        result.skipped[reason] = (result.skipped[reason] ?? 0) + 1;
      }
    }
    writeFileSync(process.env['RXMCP_RESULTS'] ?? 'results.json', JSON.stringify(results));
  }
}
