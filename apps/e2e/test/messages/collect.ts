import { createRequire } from 'node:module';
import { repository } from '../repository.js';

interface Node {
  readonly kind: number;
  readonly text: string;
  readonly pos: number;
  readonly expression: Node;
  readonly arguments?: readonly Node[];
  readonly head: Node;
  readonly templateSpans: readonly { readonly literal: Node }[];
  readonly whenTrue: Node;
  readonly whenFalse: Node;
  readonly left: Node;
  readonly right: Node;
  readonly operatorToken: Node;
  readonly name: Node;
  readonly initializer?: Node;
}

interface Compiler {
  readonly ScriptTarget: { readonly Latest: number };
  readonly SyntaxKind: Readonly<Record<string, number>>;
  createSourceFile(name: string, text: string, target: number): Node;
  forEachChild(node: Node, visit: (child: Node) => void): void;
}

// The root's TypeScript has a JavaScript API; the version that type-checks the packages has none.
const ts = createRequire(`${repository}/package.json`)('typescript') as Compiler;

/** The text of one error, with `${}` for each value that is filled in. */
export interface Message {
  /** The class, such as `TypeError`. */
  readonly type: string;
  readonly text: string;
  readonly line: number;
}

/**
 * The texts of the errors that a source file constructs: of `new SomeError(...)` and of calls that begin with a code, such as
 * `notSentError('TOO_LARGE', ...)`, the first argument that is a text. Of an argument that chooses between texts, each one.
 * Of an argument that names a constant of the file, the text of the constant. Also every constant that is named `message`.
 */
export function messagesOf(name: string, source: string): Message[] {
  const found: Message[] = [];
  const file = ts.createSourceFile(name, source, ts.ScriptTarget.Latest);
  const constants = constantsOf(file);
  const lineOf = (node: Node): number => source.slice(0, node.pos).split('\n').length;
  const visit = (node: Node): void => {
    if (is(node, 'VariableDeclaration') && node.name.text === 'message' && node.initializer !== undefined)
      for (const text of textsOf(node.initializer, constants))
        if (text.includes(' ')) found.push({ type: 'code', text, line: lineOf(node) });
    const type = errorOf(node);
    if (type !== undefined) {
      for (const argument of node.arguments ?? []) {
        const texts = textsOf(argument, constants).filter((text) => text.includes(' '));
        for (const text of texts) found.push({ type, text, line: lineOf(node.expression) });
        if (texts.length > 0) break;
      }
    }
    ts.forEachChild(node, visit);
  };
  visit(file);
  return found;
}

/** The class of an error that is constructed, or `code` where a helper constructs it. */
function errorOf(node: Node): string | undefined {
  if (is(node, 'NewExpression')) {
    const type = node.expression.text ?? '';
    return type.endsWith('Error') ? type : undefined;
  }
  const [first] = is(node, 'CallExpression') ? (node.arguments ?? []) : [];
  const isCode = first !== undefined && is(first, 'StringLiteral') && /^[A-Z][A-Z_]{3,}$/.test(first.text);
  return isCode ? 'code' : undefined;
}

type Constants = ReadonlyMap<string, readonly Node[]>;

/** The initial values of all variables of a file, by name. */
function constantsOf(file: Node): Constants {
  const constants = new Map<string, Node[]>();
  const visit = (node: Node): void => {
    if (is(node, 'VariableDeclaration') && node.initializer !== undefined)
      constants.set(node.name.text, [...(constants.get(node.name.text) ?? []), node.initializer]);
    ts.forEachChild(node, visit);
  };
  visit(file);
  return constants;
}

function textsOf(node: Node, constants: Constants): string[] {
  // A constant named `message` is collected where it is declared.
  if (is(node, 'Identifier') && node.text !== 'message')
    return (constants.get(node.text) ?? []).flatMap((value) => textsOf(value, noConstants));
  if (is(node, 'StringLiteral') || is(node, 'NoSubstitutionTemplateLiteral')) return [node.text];
  if (is(node, 'TemplateExpression'))
    return [node.head.text + node.templateSpans.map((span) => `\${}${span.literal.text}`).join('')];
  if (is(node, 'ConditionalExpression'))
    return [...textsOf(node.whenTrue, constants), ...textsOf(node.whenFalse, constants)];
  if (is(node, 'ParenthesizedExpression')) return textsOf(node.expression, constants);
  if (is(node, 'BinaryExpression') && is(node.operatorToken, 'PlusToken')) {
    const [left = '${}'] = textsOf(node.left, constants);
    const [right = '${}'] = textsOf(node.right, constants);
    return [left + right];
  }
  return [];
}

const noConstants: Constants = new Map();

function is(node: Node, kind: string): boolean {
  return node.kind === ts.SyntaxKind[kind];
}
