import { createRequire } from 'node:module';
import { repository } from '../../repository.js';

interface Compiler {
  readonly ScriptTarget: { readonly Latest: number };
  createSourceFile(
    name: string,
    text: string,
    target: number,
  ): { readonly parseDiagnostics: readonly { readonly messageText: unknown }[] };
}

// The root's TypeScript has a JavaScript API; the version that type-checks the packages has none.
const ts = createRequire(`${repository}/package.json`)('typescript') as Compiler;

/** What keeps a TypeScript source from being compiled, its types aside. */
export function wrongSyntax(source: string): unknown[] {
  const { parseDiagnostics } = ts.createSourceFile('broken.ts', source, ts.ScriptTarget.Latest);
  return parseDiagnostics.map(({ messageText }) => messageText);
}
