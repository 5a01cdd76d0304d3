import { serveStdio } from '@modelcontextprotocol/server/stdio';
import { makeTestMcpServer } from './mcp-server.test-support.ts';

/** The server of the tests as a program of its own. */
serveStdio(() => {
  const server = makeTestMcpServer();
  server.registerTool('dies', {}, () => process.exit(1));
  return server;
});
