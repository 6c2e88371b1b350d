/** The names of the variables in a uri template (RFC 6570). Any string where the text is not known. */
export type VariableName<T extends string> = string extends T ? string : Collected<T>;

/** The names of the variables in the text of a uri template, whatever their operators and modifiers. */
export function variablesOf(text: string): ReadonlySet<string> {
  const expressions = [...text.matchAll(/\{([^{}]*)\}/g)].map(([, inner = '']) =>
    inner.replace(/^[+#./;?&]/, ''),
  );
  return new Set(
    expressions.flatMap((inner) => inner.split(',')).map((one) => one.replace(/(?:\*|:\d+)$/, '')),
  );
}

type Collected<T extends string> = T extends `${string}{${infer Expression}}${infer Rest}`
  ? Names<WithoutOperator<Expression>> | Collected<Rest>
  : never;

type WithoutOperator<Expression extends string> =
  Expression extends `${'+' | '#' | '.' | '/' | ';' | '?' | '&'}${infer Names}` ? Names : Expression;

type Names<List extends string> = List extends `${infer First},${infer Rest}`
  ? Plain<First> | Names<Rest>
  : Plain<List>;

type Plain<Spec extends string> = Spec extends `${infer Name}*`
  ? Name
  : Spec extends `${infer Name}:${string}`
    ? Name
    : Spec;
