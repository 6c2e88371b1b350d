// This version has a JavaScript API; the one that type-checks the packages has none.
import ts from 'typescript-api';
import type { Source } from './sources.js';

/** A value as it stands in a source, or undefined where it is not a literal, a sum or product of them, or a constant made of them. */
type Literal = string | number | boolean | undefined;

/** Sets of values by the name of an option. */
type Values = Map<string, Set<Literal>>;

/** The documented defaults of one package that its code does not use, each as a sentence. */
export function wrongDefaults(files: readonly Pick<Source, 'path' | 'text'>[]): readonly string[] {
  const [documented, used, written] = [new Map(), new Map(), new Map()] as [Values, Values, Values];
  const parsed = files.map(({ path, text }) => ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true));
  const constants = new Map(parsed.flatMap((file) => file.statements.flatMap(constantsOf)));
  const visit = (node: ts.Node): void => {
    if (ts.isPropertySignature(node)) put(documented, node.name, documentedDefault(node));
    else if (ts.isBindingElement(node)) put(used, node.propertyName ?? node.name, node.initializer);
    else if (ts.isPropertyAssignment(node) && node.initializer.kind !== ts.SyntaxKind.TrueKeyword) {
      put(written, node.name, node.initializer);
    } else if (ts.isBinaryExpression(node) && ts.isPropertyAccessExpression(node.left)) {
      if (node.operatorToken.kind === ts.SyntaxKind.QuestionQuestionToken)
        put(used, node.left.name, node.right);
    }
    ts.forEachChild(node, visit);
  };
  const put = (values: Values, name: ts.Node, expression: ts.Expression | undefined): void => {
    const value = expression && valueOf(expression, constants);
    if (value === undefined) return;
    const key = name.getText();
    values.set(key, (values.get(key) ?? new Set()).add(value));
  };
  parsed.forEach(visit);
  return [...documented].flatMap(([name, says]) => {
    // An option with neither is passed on to another package.
    const code = used.get(name) ?? written.get(name);
    if (code === undefined) return [];
    // An option that is read with "=== true" has no default in the code.
    const isWrong = (value: Literal): boolean =>
      !code.has(value) && (value !== false || (code.has(true) && !says.has(true)));
    return [...says].some(isWrong)
      ? [`${name}: documented as ${[...says].join(' or ')}, but the code has ${[...code].join(', ')}`]
      : [];
  });
}

function documentedDefault(member: ts.PropertySignature): ts.Expression | undefined {
  const tag = ts.getJSDocTags(member).find(({ tagName }) => tagName.text === 'default');
  const text = typeof tag?.comment === 'string' ? tag.comment.trim() : '';
  const file = ts.createSourceFile('default.ts', text, ts.ScriptTarget.Latest, true);
  const [statement, ...more] = file.statements;
  if (statement === undefined || more.length > 0 || !ts.isExpressionStatement(statement)) return undefined;
  return statement.expression;
}

function constantsOf(statement: ts.Statement): [name: string, value: ts.Expression][] {
  if (!ts.isVariableStatement(statement)) return [];
  return statement.declarationList.declarations.flatMap(({ name, initializer }) =>
    initializer === undefined ? [] : [[name.getText(), initializer] as [string, ts.Expression]],
  );
}

function valueOf(node: ts.Expression, constants: ReadonlyMap<string, ts.Expression>): Literal {
  if (node.kind === ts.SyntaxKind.TrueKeyword) return true;
  if (node.kind === ts.SyntaxKind.FalseKeyword) return false;
  if (ts.isNumericLiteral(node)) return Number(node.text);
  if (ts.isStringLiteral(node)) return node.text;
  if (ts.isIdentifier(node)) {
    const initializer = constants.get(node.text);
    return initializer && valueOf(initializer, constants);
  }
  if (!ts.isBinaryExpression(node)) return undefined;
  const [left, right] = [valueOf(node.left, constants), valueOf(node.right, constants)];
  if (typeof left !== 'number' || typeof right !== 'number') return undefined;
  if (node.operatorToken.kind === ts.SyntaxKind.AsteriskToken) return left * right;
  if (node.operatorToken.kind === ts.SyntaxKind.AsteriskAsteriskToken) return left ** right;
  return node.operatorToken.kind === ts.SyntaxKind.MinusToken ? left - right : undefined;
}
