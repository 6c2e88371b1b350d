import { createRequire } from 'node:module';
import { join } from 'node:path';
import { repository } from '../repository.js';

export interface Type {
  readonly aliasSymbol?: Named;
  readonly symbol?: Named;
  /** The members of a union or an intersection. */
  readonly types?: readonly Type[];
  /** Of `List<number>`: `List`, which alone knows what it extends. */
  readonly target?: Type;
  getCallSignatures(): readonly { getReturnType(): Type }[];
  getBaseTypes(): readonly Type[] | undefined;
}

/** What a name stands for. */
export interface Named {
  readonly name: string;
  readonly flags: number;
  readonly declarations?: readonly Declaration[];
}

interface Declaration {
  getSourceFile(): { readonly fileName: string };
}

interface Checker {
  getSymbolAtLocation(node: object): Named | undefined;
  getExportsOfModule(module: Named): readonly Named[];
  getAliasedSymbol(name: Named): Named;
  getTypeOfSymbol(name: Named): Type;
  getDeclaredTypeOfSymbol(name: Named): Type;
  getPropertiesOfType(type: Type): readonly Named[];
}

interface Host {
  fileExists(name: string): boolean;
  readFile(name: string): string | undefined;
}

interface Compiler {
  readonly SymbolFlags: Readonly<Record<'Alias' | 'Value' | 'Type', number>>;
  readonly ModifierFlags: { readonly NonPublicAccessibilityModifier: number };
  readonly ModuleKind: { readonly NodeNext: number };
  readonly ScriptTarget: { readonly ES2022: number };
  createCompilerHost(options: object): Host;
  createProgram(
    files: readonly string[],
    options: object,
    host: Host,
  ): { getTypeChecker(): Checker; getSourceFile(name: string): object | undefined };
  getCombinedModifierFlags(declaration: Declaration): number;
  getJSDocCommentsAndTags(declaration: Declaration): readonly { getText(): string }[];
}

// As in syntax.ts: the version that type-checks the packages has no JavaScript API.
const ts = createRequire(`${repository}/package.json`)('typescript') as Compiler;

/** What the compiler knows of the names that some files export. */
export class Exports {
  readonly checker: Checker;
  private readonly program;

  /** Follows packages to what was built; `made` are files by their paths that are not on disk. */
  constructor(files: readonly string[], made: ReadonlyMap<string, string> = new Map()) {
    const options = {
      target: ts.ScriptTarget.ES2022,
      module: ts.ModuleKind.NodeNext,
      lib: ['lib.es2023.d.ts'],
      types: [],
      strict: true,
    };
    const host = ts.createCompilerHost(options);
    const disk = { ...host };
    host.fileExists = (name) => made.has(name) || disk.fileExists(name);
    host.readFile = (name) => made.get(name) ?? disk.readFile(name);
    this.program = ts.createProgram(files, options, host);
    this.checker = this.program.getTypeChecker();
  }

  /** What a file exports, `export *` included, by the names that it gives. */
  of(file: string): ReadonlyMap<string, Named> {
    const source = this.program.getSourceFile(file);
    const module = source && this.checker.getSymbolAtLocation(source);
    if (module === undefined)
      throw new Error(`${file} is not there or exports nothing; it may have to be built`);
    const names = this.checker.getExportsOfModule(module);
    return new Map(
      names.map((name) => [name.name, isOf(name, 'Alias') ? this.checker.getAliasedSymbol(name) : name]),
    );
  }
}

export function isOf(name: Named, flag: 'Alias' | 'Value' | 'Type'): boolean {
  return (name.flags & ts.SymbolFlags[flag]) !== 0;
}

/** A member that TypeScript calls private or protected, or that has `#` or a symbol for its name: not for users. */
export function isHidden({ name, declarations = [] }: Named): boolean {
  const hidden = ts.ModifierFlags.NonPublicAccessibilityModifier;
  return (
    /^(__@|#)/.test(name) || declarations.some((one) => (ts.getCombinedModifierFlags(one) & hidden) !== 0)
  );
}

/** The comments that stand before a name. */
export function docOf({ declarations = [] }: Named): string {
  return declarations
    .flatMap((declaration) => ts.getJSDocCommentsAndTags(declaration))
    .map((comment) => comment.getText())
    .join('\n');
}

/** Where a name was declared, inside the repository; undefined where it is of others. */
export function homeOf({ declarations = [] }: Named): string | undefined {
  const file = declarations[0]?.getSourceFile().fileName;
  const top = join(repository, 'packages/');
  return file?.startsWith(top) && !file.includes('/node_modules/')
    ? file.slice(repository.length + 1)
    : undefined;
}
