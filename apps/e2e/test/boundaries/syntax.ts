import { createRequire } from 'node:module';
import { repository } from '../repository.js';

/** What the rules need to know about one source file. */
export interface Syntax {
  readonly imports: readonly string[];
  /** Names of the classes that `new` is applied to. */
  readonly constructed: readonly string[];
  /** Text of string and template literals; comments are not code. */
  readonly literals: readonly string[];
}

interface Node {
  readonly kind: number;
  readonly text?: string;
  readonly expression?: Node;
}

interface Compiler {
  readonly ScriptTarget: { readonly Latest: number };
  readonly SyntaxKind: Readonly<Record<string, number>>;
  createSourceFile(name: string, text: string, target: number): Node;
  forEachChild(node: Node, visit: (child: Node) => void): void;
  preProcessFile(
    text: string,
    imports: boolean,
    scripts: boolean,
  ): { importedFiles: readonly { fileName: string }[] };
}

// The root's TypeScript has a JavaScript API; the version that type-checks the packages has none.
const ts = createRequire(`${repository}/package.json`)('typescript') as Compiler;

/** Parses TypeScript text. */
export function readSyntax(name: string, text: string): Syntax {
  const constructed: string[] = [];
  const literals: string[] = [];
  const visit = (node: Node): void => {
    if (node.kind === ts.SyntaxKind['NewExpression']) constructed.push(lastName(node.expression));
    if (literalKinds.has(node.kind)) literals.push(node.text ?? '');
    ts.forEachChild(node, visit);
  };
  visit(ts.createSourceFile(name, text, ts.ScriptTarget.Latest));
  return { imports: importsOf(text), constructed, literals };
}

/** What TypeScript or JavaScript text imports. */
export function importsOf(text: string): readonly string[] {
  return ts.preProcessFile(text, true, true).importedFiles.map((file) => file.fileName);
}

const literalKinds: ReadonlySet<unknown> = new Set(
  ['StringLiteral', 'NoSubstitutionTemplateLiteral', 'TemplateHead', 'TemplateMiddle', 'TemplateTail'].map(
    (name) => ts.SyntaxKind[name],
  ),
);

/** `Observable` of both `new Observable` and `new rx.Observable`. */
function lastName(node: Node | undefined): string {
  const named = node as (Node & { readonly name?: Node }) | undefined;
  return named?.name?.text ?? named?.text ?? '';
}
