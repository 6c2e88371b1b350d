import { maxSteps, UnsupportedPatternError, type Program, type Step, type Tree } from './program.js';

/** How many steps were written so far, and how often a part was looked at for that: one that is empty writes none. */
export interface Size {
  steps: number;
  looks: number;
}

/** Compiles a pattern to a program. Throws UnsupportedPatternError if all programs of the schema would become too large. */
export function build(tree: Tree, size: Size): Program {
  const steps: Step[] = [];
  const add = <S extends Step>(step: S): S => {
    if ((size.steps += 1) > maxSteps) throw tooLarge();
    steps.push(step);
    return step;
  };
  const look = (): void => {
    if ((size.looks += 1) > maxLooks) throw tooLarge();
  };
  write(tree);
  add({ op: 'match' });
  return { steps, anchored: isAnchored(tree) };

  function write(part: Tree): void {
    look();
    switch (part.kind) {
      case 'char':
        add({ op: 'char', is: part.is, asks: part.is.asks ?? 0 });
        return;
      case 'edge':
        add({ op: 'edge', edge: part.edge });
        return;
      case 'look':
        add({ op: 'look', ahead: build(part.inner, size), wanted: part.wanted });
        return;
      case 'row':
        part.parts.forEach(write);
        return;
      case 'either':
        either(part.parts);
        return;
      case 'repeat':
        repeat(part.inner, part.least, part.most);
    }
  }

  function either(parts: readonly Tree[]): void {
    const ends: { to: number }[] = [];
    parts.forEach((part, i) => {
      if (i === parts.length - 1) {
        write(part);
        return;
      }
      const split = add({ op: 'split' as const, first: steps.length + 1, second: 0 });
      write(part);
      ends.push(add({ op: 'jump' as const, to: 0 }));
      split.second = steps.length;
    });
    for (const end of ends) end.to = steps.length;
  }

  function repeat(inner: Tree, least: number, most: number): void {
    if (isEmpty(inner, look)) return;
    for (let i = 0; i < least; i += 1) write(inner);
    if (most === Infinity) {
      const at = steps.length;
      const split = add({ op: 'split' as const, first: at + 1, second: 0 });
      write(inner);
      add({ op: 'jump', to: at });
      split.second = steps.length;
      return;
    }
    const splits = [];
    for (let i = least; i < most; i += 1) {
      splits.push(add({ op: 'split' as const, first: steps.length + 1, second: 0 }));
      write(inner);
    }
    for (const split of splits) split.second = steps.length;
  }
}

// A part without steps could be repeated without end.
function isEmpty(tree: Tree, look: () => void): boolean {
  look();
  if (tree.kind === 'row') return tree.parts.every((part) => isEmpty(part, look));
  return tree.kind === 'repeat' && (tree.most === 0 || isEmpty(tree.inner, look));
}

/** A step takes a few looks, as parts are within parts. */
const maxLooks = 20 * maxSteps;

function tooLarge(): UnsupportedPatternError {
  return new UnsupportedPatternError(`its repetitions make more than ${maxSteps} steps`);
}

function isAnchored(tree: Tree): boolean {
  if (tree.kind === 'edge') return tree.edge === 'start';
  if (tree.kind === 'row') {
    const first = tree.parts.find((part) => part.kind !== 'look');
    return first !== undefined && isAnchored(first);
  }
  return tree.kind === 'either' && tree.parts.every(isAnchored);
}
