/** Finishes an unpacked package: absolute links in its README, no declarations that no entry point reaches. */
export function finishPackage(folder: string, source: string): void;

/** Returns Markdown whose relative links point into the repository. Throws for a link to a file that does not exist. */
export function absoluteLinks(
  markdown: string,
  source: string,
  repository: { readonly url: string; readonly directory: string },
): string;
