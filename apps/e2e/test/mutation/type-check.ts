import { join } from 'node:path';
import ts from 'typescript-api';

/** Whether a file still type-checks when its text is replaced. */
export type TypeCheck = (file: string, text: string) => boolean;

/**
 * Loads the sources once for all checks.
 *
 * @param folder The root of the tree.
 * @param sources The texts by their paths, relative to the root.
 */
export function typeCheck(folder: string, sources: ReadonlyMap<string, string>): TypeCheck {
  const base = ts.readConfigFile(join(folder, 'tsconfig.base.json'), ts.sys.readFile).config as object;
  const { options } = ts.parseJsonConfigFileContent({ ...base, files: [] }, ts.sys, folder);
  // What a mutation no longer uses is not a wrong type.
  options.noUnusedLocals = false;
  const replaced = new Map<string, { readonly text: string; readonly version: number }>();
  let version = 0;
  const host: ts.LanguageServiceHost = {
    ...ts.sys,
    useCaseSensitiveFileNames: () => ts.sys.useCaseSensitiveFileNames,
    getCompilationSettings: () => options,
    getCurrentDirectory: () => folder,
    getDefaultLibFileName: ts.getDefaultLibFilePath,
    getScriptFileNames: () => [...sources.keys()].map((file) => join(folder, file)),
    getScriptVersion: (path) => String(replaced.get(path)?.version ?? 0),
    getScriptSnapshot(path) {
      const text = replaced.get(path)?.text ?? ts.sys.readFile(path);
      return text === undefined ? undefined : ts.ScriptSnapshot.fromString(text);
    },
  };
  const service = ts.createLanguageService(host);
  return (file, text) => {
    const path = join(folder, file);
    replaced.set(path, { text, version: ++version });
    const errors = [...service.getSyntacticDiagnostics(path), ...service.getSemanticDiagnostics(path)];
    replaced.set(path, { text: sources.get(file) as string, version: ++version });
    return errors.length === 0;
  };
}
