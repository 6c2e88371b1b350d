import { tool, type Tool, ToolError } from 'rxmcp/tools';
import * as z from 'zod';

/** The repository that gets the issues, and how it is reached. */
export interface GithubTarget {
  /** Such as `octocat/hello-world`. */
  readonly repository: string;
  /** The address of the REST API, without a slash at its end. */
  readonly apiUrl: string;
  /** A token that may write issues. */
  readonly token: string;
}

const output = z.object({ number: z.int(), url: z.string() });
const created = z.object({ number: z.int(), html_url: z.string() });
const failure = z.object({ message: z.string() });

/** The longest time of a request, in milliseconds. */
const timeoutMs = 30_000;

/** Creates issues in one repository through the REST API of GitHub. */
export function githubCreateIssue({ repository, apiUrl, token }: GithubTarget): Tool {
  return tool(
    'github_create_issue',
    {
      title: 'Create a GitHub issue',
      description: `Creates an issue in ${repository}, such as {"title": "Typo in README", "body": "\`instal\`", "labels": ["docs"]}.`,
      input: z.object({
        title: z.string().trim().min(1).max(256),
        body: z.string().max(65_536).optional().describe('Markdown'),
        labels: z.array(z.string().min(1).max(50)).max(100).optional().describe('Default none'),
      }),
      output,
      annotations: {
        readOnlyHint: false,
        destructiveHint: false,
        idempotentHint: false,
        openWorldHint: true,
      },
    },
    async (issue, ctx) => {
      // Node may collect the signal of `AbortSignal.timeout` while a body is read, which then has no limit.
      const limit = new AbortController();
      const timer = setTimeout(() => limit.abort(), timeoutMs);
      let response: Response;
      let body: unknown;
      try {
        response = await fetch(`${apiUrl}/repos/${repository}/issues`, {
          method: 'POST',
          headers: {
            accept: 'application/vnd.github+json',
            authorization: `Bearer ${token}`,
            'content-type': 'application/json',
            'user-agent': 'rxmcp-server',
            'x-github-api-version': '2022-11-28',
          },
          body: JSON.stringify(issue),
          // A redirect would carry the token elsewhere.
          redirect: 'error',
          signal: AbortSignal.any([ctx.signal, limit.signal]),
        }).catch((cause: unknown) => {
          throw new ToolError(`GitHub cannot be reached at ${apiUrl}; the issue may have been created`, {
            cause,
          });
        });
        body = await response.json().catch(() => undefined);
      } finally {
        clearTimeout(timer);
      }
      if (!response.ok) throw new ToolError(reasonOf(repository, response.status, body));
      const parsed = created.safeParse(body);
      if (!parsed.success) throw new ToolError(`GitHub sent a response without the number of the issue`);
      return { number: parsed.data.number, url: parsed.data.html_url };
    },
  );
}

function reasonOf(repository: string, status: number, body: unknown): string {
  const said = failure.safeParse(body).data?.message ?? 'no reason given';
  const remedy =
    status === 401
      ? 'the token of the server is not valid'
      : status === 403 || status === 429
        ? 'the token may not write issues, or the limit of requests is reached'
        : status === 404 || status === 410
          ? `the token cannot see ${JSON.stringify(repository)}, or its issues are disabled`
          : status === 422
            ? 'change the title, the text or the labels'
            : 'try again later';
  return `GitHub answered ${status}, ${JSON.stringify(said)}: ${remedy}`;
}
