import { StreamableHTTPClientTransport as HttpV2 } from '@modelcontextprotocol/client';
import { SSEClientTransport } from '@modelcontextprotocol/sdk/client/sse.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { WebSocketClientTransport } from '@modelcontextprotocol/sdk/client/websocket.js';
import { InMemoryTransport } from '@modelcontextprotocol/sdk/inMemory.js';
import { fromSdkTransport } from 'rxmcp/transport/sdk';
import { expect, it } from 'vitest';

// The compiler is the test: every transport of the official SDKs fits without a cast, a function that creates it as well.
it('the transports of the official SDKs have the type that fromSdkTransport takes', () => {
  const url = new URL('http://127.0.0.1:1/mcp');
  const transports = [
    fromSdkTransport(new StreamableHTTPClientTransport(url)),
    fromSdkTransport(() => new StreamableHTTPClientTransport(url)),
    fromSdkTransport(() => new HttpV2(url)),
    fromSdkTransport(() => new SSEClientTransport(url)),
    fromSdkTransport(() => new WebSocketClientTransport(url)),
    fromSdkTransport(() => new StdioClientTransport({ command: 'node' })),
    fromSdkTransport(() => InMemoryTransport.createLinkedPair()[0]),
  ];
  expect(transports.map(({ name }) => name)).toEqual(transports.map(() => 'sdk'));
});
