import { isAbsolute, join, relative, sep } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

/** The uri of a folder, with a slash at its end. */
export function folderUri(root: string): string {
  // The URL class leaves these as they are, RFC 3986 does not have them in a path.
  return `${pathToFileURL(root)
    .href.replace(/[[\]^|]/g, encodeURIComponent)
    .replace(/\/$/, '')}/`;
}

/** The uri of a file or directory by its path from the top, whose uri is `top`. */
export function uriOf(top: string, path: string): string {
  return `${top}${path.split('/').map(encodeURIComponent).join('/')}`;
}

/** The full path of what people and models name a file by: a path from the top, a full path, or a `file:` uri. */
export function fullPath(root: string, name: string): string {
  if (/^file:/i.test(name)) return fileURLToPath(name);
  return isAbsolute(name) ? name : join(root, name);
}

/** A full path as one from the top, with slashes; the top itself is the empty path. */
export function fromTop(root: string, full: string): string {
  return relative(root, full).split(sep).join('/');
}
