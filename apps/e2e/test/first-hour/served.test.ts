import { createServer as createHttpServer, request } from 'node:http';
import { once as emitted } from 'node:events';
import type { AddressInfo } from 'node:net';
import { expect, it, onTestFinished, vi } from 'vitest';
import { connect, createServer, textOf, tool } from 'rxmcp';
import { serveHttp } from 'rxmcp/http/node';
import { memory } from 'rxmcp/memory';

const server = createServer({ name: 'hello', version: '1.0.0', tools: [tool('greet', () => 'Hello!')] });

it.each([
  ['host', 'example.com', 'the Host "example.com" is not allowed: list it in "allowedHosts" of the server'],
  [
    'origin',
    'https://example.com',
    'the Origin "https://example.com" is not allowed: list it in "allowedOrigins" of the server',
  ],
])('the response to a "%s" that is not allowed names the option', async (name, value, message) => {
  const handle = await serveHttp(server);
  onTestFinished(() => handle.close());
  const sent = request(handle.url, { method: 'POST', headers: { [name]: value } }).end();
  const [response] = await emitted(sent, 'response');
  response.setEncoding('utf8');
  let body = '';
  for await (const chunk of response) body += String(chunk);
  expect(response.statusCode).toBe(403);
  expect(body).toContain(JSON.stringify(message).slice(1, -1));
});

it('serveHttp on a server that has a request listener answers on its path, and the listener the rest', async () => {
  const app = createHttpServer((_request, response) => void response.end('from the application'));
  await new Promise<void>((resolve) => app.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void app.close());
  const handle = await serveHttp(server, { server: app });
  onTestFinished(() => handle.close());
  const remote = await connect(handle.url);
  onTestFinished(() => remote.close());
  expect(textOf(await remote.tools.call('greet'))).toBe('Hello!');
  const { port } = app.address() as AddressInfo;
  expect(await (await fetch(`http://127.0.0.1:${port}/`)).text()).toBe('from the application');
});

it('a tool whose name the APIs of models refuse: the log says what to do', async () => {
  const printed = vi.spyOn(console, 'warn').mockReturnValue();
  onTestFinished(() => printed.mockRestore());
  const named = createServer({ name: 'a', version: '1.0.0', tools: [tool('files.read', () => 'x')] });
  const link = memory();
  const handle = link.serve(named);
  onTestFinished(() => handle.close());
  const remote = await connect(link);
  onTestFinished(() => remote.close());
  expect(printed.mock.calls.join()).toContain(
    'tool "files.read": APIs of models reject this name. OpenAI accepts 1 to 64 characters, Anthropic 1 to 128: A-Z, a-z, 0-9, "_" and "-". Rename the tool, or pass its list through toOpenAiTools(list)',
  );
});
