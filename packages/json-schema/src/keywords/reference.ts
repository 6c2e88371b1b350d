import type { SchemaDocument } from '../schema/document.js';
import { absolute } from '../schema/reference.js';
import { type Node, evaluate } from '../compile/node.js';
import { type RawObject, isRaw } from '../schema/raw-schema.js';
import { JsonSchemaError, shown } from '../schema/schema-error.js';
import { type Keyword, type LateTargets, type Site, invalid } from './keyword.js';

const reference: Keyword = (operand, site) => {
  const target = targetOf(operand, site);
  site.into.beside.push(target);
  return (value, run, seen) => evaluate(target, value, run, seen);
};

/** A reference whose target is the outermost schema in scope with an anchor of that name. */
const dynamicReference: Keyword = (operand, site) => {
  const target = targetOf(operand, site);
  const { resource, fragment } = absolute(operand as string, site.into.resource, site.at);
  return late(site, resource, fragment, target);
};

/** The same of 2019-09, whose one anchor has no name. */
const recursiveReference: Keyword = (operand, site) => {
  if (site.document.dialect !== '2019-09') return undefined;
  return late(site, site.into.resource, '', targetOf(operand, site));
};

function late(site: Site, resource: string, name: string, target: Node): ReturnType<Keyword> {
  const { document, into } = site;
  // It differs from any other reference only if its initial target is such an anchor.
  const schemas = document.dynamicAnchors.get(name);
  if (schemas?.has(resource) !== true) {
    into.beside.push(target);
    return (value, run, seen) => evaluate(target, value, run, seen);
  }
  const { byResource, any } = site.late.get(name) ?? targetsOf(site, name, schemas);
  into.beside.push(any);
  return (value, run, seen) => {
    run.spend(run.scope.length >> 3);
    const outermost = run.scope.find((each) => byResource.has(each));
    const found = outermost === undefined ? target : (byResource.get(outermost) as Node);
    return evaluate(found, value, run, seen);
  };
}

function targetsOf({ late, node }: Site, name: string, schemas: ReadonlyMap<string, RawObject>): LateTargets {
  const byResource = new Map([...schemas].map(([resource, raw]) => [resource, node(raw, '')]));
  const any: Node = { at: '', resource: '', checks: [], lastly: [], beside: [...byResource.values()] };
  const made = { byResource, any };
  late.set(name, made);
  return made;
}

function targetOf(operand: unknown, site: Site): Node {
  if (typeof operand !== 'string') throw invalid(site.at, 'must be a string');
  return site.node(resolve(site.document, operand, site.into.resource, site.at), site.at);
}

/** Keywords that refer to other schemas. */
export const referringKeywords: Readonly<Record<string, Keyword>> = {
  $ref: reference,
  $dynamicRef: dynamicReference,
  $recursiveRef: recursiveReference,
};

/** Returns the target of a reference. Throws SCHEMA_UNRESOLVED_REF for a target outside the document: no other document is opened. */
function resolve(document: SchemaDocument, reference: string, base: string, at: string): RawObject | boolean {
  const { resource, fragment } = absolute(reference, base, at);
  const root = document.resources.get(resource);
  if (root === undefined) {
    const what = `${shown(reference)} leads out of the schema, and nothing outside is opened`;
    throw new JsonSchemaError('SCHEMA_UNRESOLVED_REF', at, what);
  }
  if (fragment === '') return root;
  const found = fragment.startsWith('/')
    ? pointed(document, root, fragment)
    : document.anchors.get(fragment)?.get(resource);
  if (found === undefined)
    throw new JsonSchemaError('SCHEMA_UNRESOLVED_REF', at, `${shown(reference)} has no target in the schema`);
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
  // An object under an unknown keyword becomes a schema once a reference points to it.
  if (!document.places.has(found)) document.walk(found, at, resource, 0);
  return found;
}
