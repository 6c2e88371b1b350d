import { maxFanOut } from './limits.js';
import type { Node } from './node.js';
import { JsonSchemaError } from './schema-error.js';

/**
 * Refuses schemas that look at one value for ever (SCHEMA_LOOP), or more often than any schema has a use for
 * (SCHEMA_TOO_MANY): branches that refer to branches double with each step.
 */
export function refuseLoops(nodes: Iterable<Node>): void {
  /** How many looks at one value each schema leads to; 0 while that is found out. */
  const looks = new Map<Node, number>();
  for (const start of nodes) {
    const path: { readonly node: Node; next: number; sum: number }[] = [];
    const open = (node: Node): void => {
      looks.set(node, 0);
      path.push({ node, next: 0, sum: 1 });
    };
    if (!looks.has(start)) open(start);
    for (let top = path.at(-1); top !== undefined; top = path.at(-1)) {
      const inner = top.node.beside[top.next];
      if (inner === undefined) {
        looks.set(top.node, top.sum);
        path.pop();
        continue;
      }
      const known = looks.get(inner);
      if (known === 0)
        throw new JsonSchemaError(
          'SCHEMA_LOOP',
          // What stands for several is at no place; the one after it then is part of the loop.
          top.node.at || inner.at,
          'it refers to itself without a step into the value',
        );
      if (known === undefined) {
        open(inner);
        continue;
      }
      top.sum += known;
      top.next += 1;
      if (top.sum > maxFanOut)
        throw new JsonSchemaError(
          'SCHEMA_TOO_MANY',
          top.node.at,
          `more than ${maxFanOut} schemas for one value`,
        );
    }
  }
}
