/** One way to make a server hold memory. */
export interface Attack {
  readonly over: 'http' | 'sse' | 'websocket';
  readonly era: 'modern' | 'legacy';
  readonly method: 'initialize' | 'tools/call' | 'subscriptions/listen';
  /** Where most of the bytes are. `values` are many empty objects among the arguments. */
  readonly bytesIn: 'arguments' | 'values' | '_meta' | 'clientInfo' | 'capabilities';
  /** What the attacker does once the server has the request. */
  readonly then: 'wait' | 'leave';
}

const product = <A, B>(many: readonly A[], more: readonly B[]): (A & B)[] =>
  many.flatMap((one) => more.map((other) => ({ ...one, ...other })));

const each = <Name extends string, Value extends string>(
  name: Name,
  values: readonly Value[],
): Record<Name, Value>[] => values.map((value) => ({ [name]: value }) as Record<Name, Value>);

/** Every combination that a protocol revision allows. */
export const attacks: readonly Attack[] = [
  product(each('over', ['http', 'sse', 'websocket']), each('era', ['modern', 'legacy'])),
]
  .map((some) => product(some, each('method', ['initialize', 'tools/call', 'subscriptions/listen'])))
  .map((some) =>
    product(some, each('bytesIn', ['arguments', 'values', '_meta', 'clientInfo', 'capabilities'])),
  )
  .flatMap((some) => product(some, each('then', ['wait', 'leave'])))
  .filter(({ over, era, method, bytesIn, then }) => {
    if (over === 'websocket' && then === 'leave') return false;
    if (over === 'sse' && era === 'modern') return false;
    if (method === 'initialize') return era === 'legacy' && ['clientInfo', 'capabilities'].includes(bytesIn);
    if (method === 'subscriptions/listen' && (era === 'legacy' || bytesIn === 'values')) return false;
    if (bytesIn === 'clientInfo') return era === 'modern';
    return bytesIn !== 'capabilities';
  });
