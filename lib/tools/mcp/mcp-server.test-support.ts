import http from 'node:http';
import { createMcpHandler, McpServer } from '@modelcontextprotocol/server';
import { z } from 'zod';
import { listenLocally } from '#lib/testing/scripted-server.test-support.ts';

/** Overrides a test server's handling of one request. Returns false to let the official SDK respond. */
export type Interfere = (request: http.IncomingMessage, response: http.ServerResponse, body: string) => boolean;

export type TestMcpServer = {
  url: string;
  /** Headers and body of each request. */
  requests: { headers: http.IncomingHttpHeaders; body: string }[];
  interfere: (interfere: Interfere | null) => void;
  close(): Promise<void>;
};

/** Starts an MCP server of the official SDK over HTTP on this machine, with tools that succeed, fail, hang and fill pages. */
export async function startTestMcpServer(): Promise<TestMcpServer> {
  const handler = createMcpHandler(makeTestMcpServer, { onerror: () => undefined });
  const requests: TestMcpServer['requests'] = [];
  let interference: Interfere | null = null;
  const server = http.createServer(async (request, response) => {
    let body = '';
    for await (const chunk of request) body += String(chunk);
    requests.push({ headers: request.headers, body });
    if (interference?.(request, response, body)) return;
    const method = request.method ?? 'GET';
    const headers = new Headers();
    for (const [name, value] of Object.entries(request.headers))
      if (typeof value === 'string') headers.set(name, value);
    const asked = new Request(`http://127.0.0.1${request.url}`, { method, headers, ...(body === '' ? {} : { body }) });
    const answer = await handler.fetch(asked);
    response.writeHead(answer.status, Object.fromEntries(answer.headers));
    if (answer.body !== null) for await (const chunk of answer.body) response.write(chunk);
    response.end();
  });
  const { url, close } = await listenLocally(server);
  return {
    url: `${url}/mcp`,
    requests,
    interfere: (interfere) => {
      interference = interfere;
    },
    close,
  };
}

export function makeTestMcpServer(): McpServer {
  const server = new McpServer({ name: 'weather', title: 'Weather of the test', version: '1.2.3' });
  server.registerTool(
    'forecast',
    { description: 'The weather of a city.', inputSchema: z.object({ city: z.string() }) },
    ({ city }) => ({ content: [{ type: 'text', text: `Sun in ${city}.` }] }),
  );
  server.registerTool('fails', {}, () => ({ content: [{ type: 'text', text: 'no such city' }], isError: true }));
  server.registerTool('throws', {}, () => {
    throw new Error('the barometer broke');
  });
  server.registerTool('hangs', {}, () => new Promise<never>(() => undefined));
  server.registerTool('large', {}, () => ({ content: [{ type: 'text', text: 'x'.repeat(50_000) }] }));
  server.registerTool('mixed', {}, () => ({
    content: [
      { type: 'text', text: 'a map:' },
      { type: 'image', data: 'AAAA', mimeType: 'image/png' },
      { type: 'resource_link', name: 'more', uri: 'https://example.org/more' },
      { type: 'resource', resource: { uri: 'file:///a', text: 'inside' } },
    ],
  }));
  server.registerTool('echo.env', {}, () => ({ content: [{ type: 'text', text: JSON.stringify(process.env) }] }));
  return server;
}
