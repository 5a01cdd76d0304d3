import { createMcpHandler, McpServer } from '@modelcontextprotocol/server';
import { addTools, type ToolCaller } from './tools.ts';

/** Maximum size of a request. The longest case has 200,000 characters. */
const MAX_BODY_BYTES = 2_000_000;
/** Maximum number of array elements and object members in one tool call. */
const MAX_ELEMENTS = 2_000;

const INSTRUCTIONS =
  'Hone stores lessons from earlier work and runs experiments that draft, score and improve outputs. Before a task, call recall_lessons with the task. If you learn something from the task, call submit_lesson afterwards. To run an experiment on an input, call start_run and then read_run.';

/**
 * Handles one request of the Model Context Protocol over Streamable HTTP. It is stateless, with a new server per request. The caller must
 * be authenticated, and Host and Origin checked before.
 */
export async function serveMcp(request: Request, caller: ToolCaller & { version: string }): Promise<Response> {
  const handler = createMcpHandler(() => makeServer(caller), {
    // No subscriptions: the stream would stay open, and there are no notifications.
    maxSubscriptions: 0,
    maxRequestBodySize: MAX_BODY_BYTES,
    onerror: () => undefined,
  });
  return handler.fetch(request);
}

function makeServer(caller: ToolCaller & { version: string }): McpServer {
  const server = new McpServer(
    { name: 'hone', title: 'Hone', version: caller.version },
    { instructions: INSTRUCTIONS, maxToolInputElements: MAX_ELEMENTS },
  );
  addTools(server, caller);
  return server;
}
