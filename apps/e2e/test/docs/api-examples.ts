import { sources } from '../reference/sources.js';

/** What the `@example`s of the packages use without creating it. */
const prelude = `
import { writeFile } from 'node:fs/promises';
import { bridge, defineClient, defineServer, each, meter, once, reconnect, type Client, type Remote } from '@rxmcp/core';
import { oauth } from '@rxmcp/auth';
import { loopbackRedirect } from '@rxmcp/auth/node';
import { http } from '@rxmcp/http';
import { serveHttp } from '@rxmcp/http/node';
import { jsonSchema } from '@rxmcp/json-schema';
import { serveStdio, stdio } from '@rxmcp/stdio';
import { exportTest, record, replayAsServer, virtualTime, wireMarbles, type Recording, type WireSubject } from '@rxmcp/testing';
import { offerTools, tools } from '@rxmcp/tools';
import { fromMessages } from '@rxmcp/transport';
import { bearer } from '@rxmcp/transport/guard';
import { clampTimeout, setUnrefTimeout, settleWithin } from '@rxmcp/transport/internal';
import { sdkConnectionHandler } from '@rxmcp/transport/sdk';
import { connect, createServer, serve, tool } from 'rxmcp';
import { transportFor } from 'rxmcp/url';
import { switchMap } from 'rxjs';
import * as z from 'zod';
declare const [client, server, recording]: [Client, WireSubject, Recording];
declare function myCode(remote: Remote): Promise<void>;
declare function token(): Promise<string>;
declare function makeServer(): { connect(transport: object): Promise<void> };
declare const channel: BroadcastChannel & { onclose: () => void };
declare const writeTimeoutMs: number;
declare const writer: { flushed(): Promise<void> };
`;

/** Returns a module for each `@example` of the packages, by a name that has the path of its source. */
export function apiExamples(): Map<string, string> {
  const modules = new Map<string, string>();
  for (const { path, text } of sources()) {
    for (const [, lines = ''] of text.matchAll(/^ *\* @example\n((?: *\*(?!\/).*\n)+)/gm)) {
      const code = lines.replaceAll(/^ *\* ?(?:```.*)?/gm, '');
      const declared = /\bconst remote\b/.test(code) ? '' : 'declare const remote: Remote;';
      modules.set(`${path.replaceAll('/', '+').slice(0, -3)}-${modules.size}.ts`, prelude + declared + code);
    }
  }
  return modules;
}
