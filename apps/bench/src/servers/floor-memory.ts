type Call = { id: number; method: string; params: { name: string; arguments: { text: string } } };
type Response = { id: number; result: { content: [{ text: string }] } };

/** The least code that calls and answers within one process with isolated messages: a text each way, never inside the call. */
export function connect(meta: object | undefined): (text: string) => Promise<string> {
  const pending = new Map<number, (text: string) => void>();
  let id = 0;

  function serve(line: string): void {
    const { id, method, params }: Call = JSON.parse(line);
    switch (method) {
      case 'tools/call': {
        const content = [{ type: 'text', text: params.arguments.text }];
        const result = meta === undefined ? { content } : { resultType: 'complete', content, _meta };
        send(take, JSON.stringify({ jsonrpc: '2.0', id, result }));
        return;
      }
    }
    send(take, JSON.stringify({ jsonrpc: '2.0', id, error: { code: -32601, message: 'unknown method' } }));
  }

  function take(line: string): void {
    const { id, result }: Response = JSON.parse(line);
    pending.get(id)?.(result.content[0].text);
    pending.delete(id);
  }

  return (text) =>
    new Promise((resolve) => {
      pending.set(++id, resolve);
      const params = { _meta: { ...meta, progressToken: id }, name: 'echo', arguments: { text } };
      send(serve, JSON.stringify({ jsonrpc: '2.0', id, method: 'tools/call', params }));
    });
}

function send(to: (line: string) => void, line: string): void {
  queueMicrotask(() => to(line));
}

const _meta = { 'io.modelcontextprotocol/serverInfo': { name: 'floor', version: '1.0.0' } };
