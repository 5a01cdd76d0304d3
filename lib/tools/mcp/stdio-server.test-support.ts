import { serveStdio } from '@modelcontextprotocol/server/stdio';
import { makeTestMcpServer } from './mcp-server.test-support.ts';

/** Runs the test server as a separate program. */
serveStdio(() => {
  const server = makeTestMcpServer();
  server.registerTool('dies', {}, () => process.exit(1));
  return server;
});
