import { absolute } from '../document.js';
import { evaluate } from '../node.js';
import { resolve } from '../resolve.js';
import type { Node } from '../node.js';
import type { Keyword, LateTargets, Site } from './keyword.js';
import { invalid } from './keyword.js';

const reference: Keyword = (operand, site) => {
  const target = targetOf(operand, site);
  site.into.beside.push(target);
  return (value, run, seen) => evaluate(target, value, run, seen);
};

/** A reference whose target the outermost schema with an anchor of that name takes over. */
const dynamicReference: Keyword = (operand, site) => {
  const target = targetOf(operand, site);
  const full = absolute(operand as string, site.into.resource, site.at);
  return late(site, full, target);
};

/** The same of 2019-09, whose one anchor has no name. */
const recursiveReference: Keyword = (operand, site) => {
  if (site.document.dialect !== '2019-09') return undefined;
  return late(site, `${site.into.resource}#`, targetOf(operand, site));
};

function late(site: Site, full: string, target: Node): ReturnType<Keyword> {
  const { document, into } = site;
  // Only where it leads to an anchor of this kind to begin with is it different from any other reference.
  if (!full.includes('#') || !document.dynamicAnchors.has(full)) {
    into.beside.push(target);
    return (value, run, seen) => evaluate(target, value, run, seen);
  }
  const name = full.slice(full.indexOf('#'));
  const { byResource, any } = site.late.get(name) ?? targetsOf(site, name);
  into.beside.push(any);
  return (value, run, seen) => {
    run.spend(run.scope.length >> 3);
    const outermost = run.scope.find((resource) => byResource.has(resource));
    const found = outermost === undefined ? target : (byResource.get(outermost) as Node);
    return evaluate(found, value, run, seen);
  };
}

function targetsOf({ document, late, node }: Site, name: string): LateTargets {
  const byResource = new Map<string, Node>();
  for (const [anchor, raw] of document.dynamicAnchors) {
    const hash = anchor.indexOf('#');
    if (anchor.slice(hash) === name) byResource.set(anchor.slice(0, hash), node(raw, ''));
  }
  const any: Node = { at: '', resource: '', checks: [], lastly: [], beside: [...byResource.values()] };
  const made = { byResource, any };
  late.set(name, made);
  return made;
}

function targetOf(operand: unknown, site: Site): Node {
  if (typeof operand !== 'string') throw invalid(site.at, 'must be a string');
  return site.node(resolve(site.document, operand, site.into.resource, site.at), site.at);
}

/** Keywords that lead elsewhere. */
export const referringKeywords: Readonly<Record<string, Keyword>> = {
  $ref: reference,
  $dynamicRef: dynamicReference,
  $recursiveRef: recursiveReference,
};
