import type { Workspace } from './workspace.js';

const maxLines = 300;

/** Eras are values: the rest of core never names a revision of the protocol. */
export function datedVersionsStayInEras(workspace: Workspace): string[] {
  return workspace
    .filter(({ folder }) => folder === 'packages/core')
    .flatMap(({ folder, files }) =>
      files
        .filter((file) => file.area === 'src' && !file.path.startsWith('src/eras/'))
        .flatMap((file) =>
          file.literals
            .filter((text) => /\b20\d\d-\d\d-\d\d\b/.test(text))
            .map((text) => `${folder}/${file.path} mentions "${text}"`),
        ),
    );
}

/** One folder where Observables are born keeps the stream contract in one place. */
export function observablesAreBornInStreams(workspace: Workspace): string[] {
  return workspace.flatMap(({ folder, files }) =>
    files
      .filter((file) => !`${folder}/${file.path}`.startsWith('packages/core/src/streams/'))
      .filter((file) => file.constructed.includes('Observable'))
      .map((file) => `${folder}/${file.path} says new Observable`),
  );
}

/** One idea per file; generated files are exempt. */
export function filesAreShort(workspace: Workspace): string[] {
  return workspace.flatMap(({ folder, files }) =>
    files
      .filter((file) => file.lines > maxLines && !file.path.includes('/generated/'))
      .map((file) => `${folder}/${file.path} has ${file.lines} lines`),
  );
}

/** A comment cites the protocol as `@see Spec REVISION PAGE#ANCHOR` or `@see Schema REVISION TYPE`, at the end of its line. */
export function citationsHaveOneForm(workspace: Workspace): string[] {
  return workspace.flatMap(({ folder, files }) =>
    files
      .filter((file) => file.area === 'src')
      .flatMap((file) =>
        file.text
          .split('\n')
          .filter((line) => /\b(spec|schema) 20\d\d-\d\d-\d\d\b/i.test(line))
          .filter((line) => !/@see (Spec|Schema) 20\d\d-\d\d-\d\d [\w/#.-]+( \*\/)?$/.test(line))
          .map((line) => `${folder}/${file.path} cites "${line.trim()}"`),
      ),
  );
}
