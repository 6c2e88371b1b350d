import type { SchemaDocument } from './document.js';
import { absolute } from './names.js';
import { isRaw, type RawObject } from './raw.js';
import { JsonSchemaError, shown } from './schema-error.js';

/** The schema that a reference leads to. Throws SCHEMA_REF for one that leads out of the document: nothing is ever opened. */
export function resolve(
  document: SchemaDocument,
  reference: string,
  base: string,
  at: string,
): RawObject | boolean {
  const { resource, fragment } = absolute(reference, base, at);
  const root = document.resources.get(resource);
  if (root === undefined) {
    const what = `${shown(reference)} leads out of the schema, and nothing outside is opened`;
    throw new JsonSchemaError('SCHEMA_REF', at, what);
  }
  if (fragment === '') return root;
  const found = fragment.startsWith('/')
    ? pointed(document, root, fragment)
    : document.anchors.get(fragment)?.get(resource);
  if (found === undefined)
    throw new JsonSchemaError('SCHEMA_REF', at, `${shown(reference)} leads to nothing`);
  return found;
}

function pointed(
  document: SchemaDocument,
  root: RawObject,
  pointer: string,
): RawObject | boolean | undefined {
  let found: unknown = root;
  let { at, resource } = document.places.get(root) as { at: string; resource: string };
  for (const step of pointer.slice(1).split('/')) {
    const key = step.replaceAll('~1', '/').replaceAll('~0', '~');
    if (typeof found !== 'object' || found === null || !Object.hasOwn(found, key)) return undefined;
    found = (found as Record<string, unknown>)[key];
    at += `/${step}`;
    if (isRaw(found)) resource = document.places.get(found)?.resource ?? resource;
  }
  if (typeof found === 'boolean') return found;
  if (!isRaw(found)) return undefined;
  // A schema under a keyword of somebody else is one once something leads there.
  if (!document.places.has(found)) document.walk(found, at, resource, 0);
  return found;
}
