/*
 * A rule for tests: no verdict depends on a clock or on what a process that runs other tests holds. A busy machine makes such a test
 * red, and a quick one hides what it is for.
 */

const clocks = new Set([
  'performance.now',
  'Date.now',
  'process.hrtime',
  'process.hrtime.bigint',
  'process.memoryUsage',
  'process.memoryUsage.rss',
]);
/** What puts a virtual clock or a scripted one in the place of the real one. */
const virtual = new Set(['useFakeTimers', 'virtualTime', 'spyOn', 'setSystemTime']);
const memory = /memoryUsage|hrtime/;

/** `a.b.c` of an expression of names; undefined for any other. */
function pathOf(node) {
  if (node.type === 'Identifier') return node.name;
  if (node.type !== 'MemberExpression' || node.computed) return undefined;
  const owner = pathOf(node.object);
  return owner && `${owner}.${node.property.name}`;
}

/** Whether a call is `expect(...)`, `expect.soft(...)` or a matcher of them. */
function isExpect({ callee }) {
  for (let node = callee; node !== undefined; node = node.callee ?? node.object)
    if (node.type === 'Identifier') return node.name === 'expect';
  return false;
}

/** The declarations that take a value from an expression: a variable, what is pushed to it, or the function that returns it. */
function takersOf(node, scopes) {
  for (let at = node; at !== null; at = at.parent) {
    const { parent } = at;
    if (at.type === 'CallExpression' && isExpect(at)) return 'expect';
    if (parent?.type === 'VariableDeclarator' && parent.init === at)
      return scopes.getDeclaredVariables(parent);
    if (parent?.type === 'AssignmentExpression' && parent.right === at) return named(parent.left, scopes);
    if (at.type === 'CallExpression' && at !== node && /\.(push|add|unshift)$/.test(pathOf(at.callee) ?? ''))
      return named(at.callee.object, scopes);
    if (at.type === 'ReturnStatement') {
      while (!/Function/.test(at.parent.type)) at = at.parent;
      if (at.parent.type === 'FunctionDeclaration') return scopes.getDeclaredVariables(at.parent).slice(0, 1);
      continue;
    }
    if (/Statement$/.test(at.type)) return [];
  }
  return [];
}

function named(node, scopes) {
  if (node.type !== 'Identifier') return [];
  for (let scope = scopes.getScope(node); scope !== null; scope = scope.upper) {
    const variable = scope.set.get(node.name);
    if (variable !== undefined) return [variable];
  }
  return [];
}

export const noClockInExpect = {
  meta: {
    type: 'problem',
    schema: [],
    messages: {
      clock:
        '{{ clock }} feeds an assertion. Count operations, use virtual time, assert order or signals, measure in apps/bench, or look at memory in a process of its own.',
    },
  },
  create(context) {
    const scopes = context.sourceCode;
    const calls = [];
    let isVirtual = false;
    const reaches = (node, seen) => {
      const takers = takersOf(node, scopes);
      if (takers === 'expect') return true;
      return takers.some((variable) => {
        if (seen.has(variable)) return false;
        seen.add(variable);
        return variable.references.some(
          (reference) => reference.isRead() && reaches(reference.identifier, seen),
        );
      });
    };
    return {
      CallExpression(node) {
        const path = pathOf(node.callee);
        if (virtual.has(path?.split('.').at(-1))) isVirtual = true;
        if (clocks.has(path)) calls.push([node, path]);
      },
      'Program:exit'() {
        for (const [node, clock] of calls) {
          // A virtual clock is the subject of its test.
          if (isVirtual && !memory.test(clock)) continue;
          if (reaches(node, new Set())) context.report({ node, messageId: 'clock', data: { clock } });
        }
      },
    };
  },
};
