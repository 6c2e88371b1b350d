// This version has a JavaScript API; the one that type-checks the packages has none.
import ts from 'typescript-api';

/** A change of one piece of a source file. */
export interface Mutation {
  readonly start: number;
  readonly end: number;
  /** What stands there instead. */
  readonly text: string;
}

const { SyntaxKind } = ts;

const opposites: ReadonlyMap<ts.SyntaxKind, string> = new Map([
  [SyntaxKind.EqualsEqualsEqualsToken, '!=='],
  [SyntaxKind.ExclamationEqualsEqualsToken, '==='],
  [SyntaxKind.LessThanToken, '>='],
  [SyntaxKind.GreaterThanEqualsToken, '<'],
  [SyntaxKind.GreaterThanToken, '<='],
  [SyntaxKind.LessThanEqualsToken, '>'],
  [SyntaxKind.AmpersandAmpersandToken, '||'],
  [SyntaxKind.BarBarToken, '&&'],
]);

/** Returns every mutation of a source file, in the order of the source. */
export function mutationsOf(source: string): Mutation[] {
  const file = ts.createSourceFile('source.ts', source, ts.ScriptTarget.Latest, true);
  const found: Mutation[] = [];
  const visit = (node: ts.Node): void => {
    if (hasNoBehaviour(node)) return;
    const mutation = mutationOf(node);
    if (mutation !== undefined) found.push(mutation);
    ts.forEachChild(node, visit);
  };
  visit(file);
  return found;
}

/** Returns the source with the mutation. */
export function mutate(source: string, { start, end, text }: Mutation): string {
  return source.slice(0, start) + text + source.slice(end);
}

/** Returns the line of the mutation, what stands on the lines it changes, and what stands there afterwards. */
export function describeMutation(
  source: string,
  mutation: Mutation,
): { readonly line: number; readonly before: string; readonly after: string } {
  const from = source.lastIndexOf('\n', mutation.start - 1) + 1;
  const next = source.indexOf('\n', mutation.end);
  const to = next < 0 ? source.length : next;
  const after = mutate(source, mutation).slice(
    from,
    to + mutation.text.length - mutation.end + mutation.start,
  );
  return {
    line: source.slice(0, mutation.start).split('\n').length,
    before: oneLine(source.slice(from, to)),
    after: oneLine(after),
  };
}

function hasNoBehaviour(node: ts.Node): boolean {
  return (
    ts.isTypeNode(node) ||
    ts.isInterfaceDeclaration(node) ||
    ts.isTypeAliasDeclaration(node) ||
    ts.isImportDeclaration(node) ||
    ts.isExportDeclaration(node)
  );
}

function mutationOf(node: ts.Node): Mutation | undefined {
  if (ts.isBinaryExpression(node)) return turned(node.operatorToken);
  if (isConditional(node)) return negated(conditionOf(node));
  if (ts.isExpressionStatement(node)) return droppedCall(node);
  if (ts.isNumericLiteral(node)) return otherNumber(node);
  if (ts.isStringLiteral(node)) return emptiedString(node);
  if (ts.isArrayLiteralExpression(node)) return emptiedArray(node);
  if (ts.isBlock(node)) return earlyReturn(node);
  if (node.kind === SyntaxKind.TrueKeyword) return replaced(node, 'false');
  if (node.kind === SyntaxKind.FalseKeyword) return replaced(node, 'true');
  return undefined;
}

function turned(operator: ts.Node): Mutation | undefined {
  const opposite = opposites.get(operator.kind);
  return opposite === undefined ? undefined : replaced(operator, opposite);
}

type Conditional = ts.IfStatement | ts.WhileStatement | ts.ConditionalExpression;

function isConditional(node: ts.Node): node is Conditional {
  return ts.isIfStatement(node) || ts.isWhileStatement(node) || ts.isConditionalExpression(node);
}

function conditionOf(node: Conditional): ts.Expression {
  return ts.isConditionalExpression(node) ? node.condition : node.expression;
}

/** A comparison is turned round where its operator stands. */
function negated(condition: ts.Expression): Mutation | undefined {
  if (condition.kind === SyntaxKind.TrueKeyword) return undefined;
  if (ts.isBinaryExpression(condition) && isComparison(condition.operatorToken.kind)) return undefined;
  if (ts.isPrefixUnaryExpression(condition) && condition.operator === SyntaxKind.ExclamationToken)
    return replaced(condition, condition.operand.getText());
  return replaced(condition, `!(${condition.getText()})`);
}

function isComparison(kind: ts.SyntaxKind): boolean {
  return (
    opposites.has(kind) && kind !== SyntaxKind.AmpersandAmpersandToken && kind !== SyntaxKind.BarBarToken
  );
}

function droppedCall(statement: ts.ExpressionStatement): Mutation | undefined {
  const call = callOf(statement);
  return call === undefined || isSuper(call) ? undefined : replaced(statement, ';');
}

/** The call that is all there is to a statement. */
function callOf(statement: ts.Statement): ts.CallExpression | undefined {
  if (!ts.isExpressionStatement(statement)) return undefined;
  let { expression } = statement;
  while (ts.isAwaitExpression(expression) || ts.isVoidExpression(expression))
    expression = expression.expression;
  return ts.isCallExpression(expression) ? expression : undefined;
}

function isSuper({ expression }: ts.CallExpression): boolean {
  return expression.kind === SyntaxKind.SuperKeyword;
}

/** A size or duration that differs by a thousandth or less is as good as before. */
function otherNumber(node: ts.NumericLiteral): Mutation | undefined {
  const value = Number(node.text);
  return value < 1_000 ? replaced(node, String(value + 1)) : undefined;
}

/** A string with a space in it is a text for people, and so is the description of a symbol. */
function emptiedString(node: ts.StringLiteral): Mutation | undefined {
  if (node.text === '' || node.text.trim().includes(' ')) return undefined;
  const { parent } = node;
  if (ts.isCallExpression(parent) && parent.expression.getText() === 'Symbol') return undefined;
  if ((ts.isPropertyAssignment(parent) || ts.isPropertyDeclaration(parent)) && parent.name === node)
    return undefined;
  return replaced(node, "''");
}

function emptiedArray(node: ts.ArrayLiteralExpression): Mutation | undefined {
  return node.elements.length === 0 ? undefined : replaced(node, '[]');
}

/** The body of a function that returns a value is left out when the types are checked. */
function earlyReturn(body: ts.Block): Mutation | undefined {
  const [first] = body.statements;
  if (!ts.isFunctionLike(body.parent) || first === undefined || ts.isReturnStatement(first)) return undefined;
  const call = callOf(first);
  // To return before the only call is the same as to drop it.
  if (call !== undefined && (body.statements.length === 1 || isSuper(call))) return undefined;
  const start = body.getStart() + 1;
  return { start, end: start, text: ' return;' };
}

function replaced(node: ts.Node, text: string): Mutation {
  return { start: node.getStart(), end: node.getEnd(), text };
}

function oneLine(text: string): string {
  const whole = text.trim().replace(/\s+/g, ' ');
  return whole.length > 140 ? `${whole.slice(0, 137)}...` : whole;
}
