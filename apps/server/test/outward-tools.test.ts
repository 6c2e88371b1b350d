import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { defineClient, once } from 'rxmcp';
import { http } from 'rxmcp/http';
import { readText, resources } from 'rxmcp/resources';
import { type ToolResult, tools } from 'rxmcp/tools';
import { describe, expect, it, onTestFinished } from 'vitest';
import { desk, revisions, tempFolder } from './desk.js';
import { useProgram } from './program.js';

const textOf = ({ content }: ToolResult): string =>
  content.map((block) => ('text' in block ? block.text : '')).join('\n');

describe.each(revisions)('execute_command in %s', (version) => {
  it('is not offered unless commands are allowed', async () => {
    const remote = await desk({ root: await tempFolder() }, { version });
    const names = (await once(tools(remote).list())).map(({ name }) => name);
    expect(names).not.toContain('execute_command');
    expect(names).not.toContain('github_create_issue');
  });

  it('runs an allowed command in the folder, without a shell, and is in the journal', async () => {
    const root = await tempFolder();
    const remote = await desk({ root, commands: ['node'] }, { version });
    const script = 'console.log(process.cwd(), process.argv[1]); console.error("careful")';
    const result = await once(
      tools(remote).call('execute_command', { command: 'node', args: ['-e', script, '$(id); `id`'] }),
    );
    expect(JSON.parse(textOf(result))).toMatchObject({
      stdout: `${root} $(id); \`id\`\n`,
      stderr: 'careful\n',
    });
    const [log] = await once(resources(remote).read('logs://recent'));
    expect(log === undefined ? '' : readText(log)).toMatch(/notice execute_command: ok after \d+ ms/);
  });

  it.each([
    ['process.exit(3)', '"node" ended with exit code 3'],
    ['process.kill(process.pid)', '"node" was ended by SIGTERM'],
    ['console.log("x".repeat(300_000))', '"node" wrote more than 256 KiB and was ended'],
  ])('tells the model how a command failed: %s', async (script, reason) => {
    const remote = await desk({ root: await tempFolder(), commands: ['node'] }, { version });
    const call = tools(remote).call('execute_command', { command: 'node', args: ['-e', script] });
    const result = await once(call);
    expect(result.isError).toBe(true);
    expect(textOf(result)).toContain(reason);
  });

  it('refuses commands that are not allowed, and says which is not installed', async () => {
    const remote = await desk({ root: await tempFolder(), commands: ['no-such-program'] }, { version });
    const missing = await once(tools(remote).call('execute_command', { command: 'no-such-program' }));
    expect(textOf(missing)).toBe('"no-such-program" is not installed on the server');
    const refused = await once(tools(remote).call('execute_command', { command: 'sh' })).then(
      textOf,
      (error: unknown) => (error as Error).message,
    );
    expect(refused).toContain('command');
  });

  it('ends the process of a call that is cancelled', async () => {
    let ended: (() => void) | undefined;
    const gone = new Promise<void>((resolve) => (ended = resolve));
    const { url } = await listening((_, response) => {
      response.on('close', () => ended?.());
      response.write('.');
      subscription.unsubscribe();
    });
    const remote = await desk({ root: await tempFolder(), commands: ['node'] }, { version });
    const script = `fetch(${JSON.stringify(url)}).then((answer) => answer.text())`;
    const subscription = tools(remote)
      .call('execute_command', { command: 'node', args: ['-e', script] })
      .subscribe({ error: () => undefined });
    await gone;
  });
});

describe('tools that act beyond the folder', () => {
  const start = useProgram();

  it('are for operators over a network', async () => {
    const program = start(
      ['--root', await tempFolder(), '--http', '0', '--allow-command', 'node', '--operator', 'ada'],
      { RXMCP_TOKENS: '{"ada":"token-a","bob":"token-b"}' },
    );
    const [url = ''] = await program.listening(1);
    const as = async (token: string) => {
      const remote = await defineClient({ info: { name: 'desk', version: '1' } }).connect(
        http(url, { headers: { authorization: `Bearer ${token}` } }),
      );
      onTestFinished(() => remote.close());
      return tools(remote);
    };
    const [ada, bob] = [await as('token-a'), await as('token-b')];
    const listed = async (of: typeof ada) => (await once(of.list())).map(({ name }) => name);
    expect(await listed(ada)).toContain('execute_command');
    expect(await listed(bob)).toContain('search_files');
    expect(await listed(bob)).not.toContain('execute_command');
    const call = { command: 'node', args: ['--version'] };
    expect((await once(ada.call('execute_command', call))).isError).not.toBe(true);
    await expect(once(bob.call('execute_command', call))).rejects.toMatchObject({ code: -32602 });
  });
});

describe('github_create_issue', () => {
  it('creates an issue with the token', async () => {
    const seen: unknown[] = [];
    const { url } = await listening((request, response) => {
      let body = '';
      request.on('data', (piece) => (body += String(piece)));
      request.on('end', () => {
        const { authorization } = request.headers;
        seen.push([request.method, request.url, authorization, JSON.parse(body)]);
        response.writeHead(201, { 'content-type': 'application/json' });
        response.end(JSON.stringify({ number: 7, html_url: 'https://github.com/octo/cat/issues/7', id: 1 }));
      });
    });
    const github = { repository: 'octo/cat', apiUrl: url, token: 'secret' };
    const remote = await desk({ root: await tempFolder(), github });
    const issue = { title: 'Typo', body: '`instal`', labels: ['docs'] };
    const result = await once(tools(remote).call('github_create_issue', issue));
    expect(result.structuredContent).toEqual({ number: 7, url: 'https://github.com/octo/cat/issues/7' });
    expect(seen).toEqual([['POST', '/repos/octo/cat/issues', 'Bearer secret', issue]]);
  });

  it.each([
    [401, '{"message":"Bad credentials"}', 'GitHub answered 401, "Bad credentials": the token of the server'],
    [403, '{"message":"no"}', 'GitHub answered 403, "no": the token may not write issues'],
    [404, '{"message":"Not Found"}', 'GitHub answered 404, "Not Found": the token cannot see "octo/cat"'],
    [422, '{"message":"Validation Failed"}', 'change the title, the text or the labels'],
    [502, '<html>', 'GitHub answered 502, "no reason given": try again later'],
    [201, '[]', 'GitHub sent a response without the number of the issue'],
    [302, '', 'GitHub cannot be reached at'],
  ])('tells the model why there is no issue: %i', async (status, body, reason) => {
    const { url } = await listening((_, response) => {
      response.writeHead(status, status === 302 ? { location: '/elsewhere' } : {}).end(body);
    });
    const github = { repository: 'octo/cat', apiUrl: url, token: 'secret' };
    const remote = await desk({ root: await tempFolder(), github });
    const result = await once(tools(remote).call('github_create_issue', { title: 'Typo' }));
    expect(result.isError).toBe(true);
    expect(textOf(result)).toContain(reason);
    expect(textOf(result)).not.toContain('secret');
  });
});

/** A web server for one test. */
async function listening(
  response: Parameters<typeof createServer>[1] & object,
): Promise<{ readonly url: string }> {
  const server = createServer(response);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return { url: `http://127.0.0.1:${String((server.address() as AddressInfo).port)}` };
}
