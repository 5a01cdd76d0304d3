import { createMcpHandler, McpServer } from '@modelcontextprotocol/server';
import type { Asker } from './add-tool.ts';
import { addReadRun } from './read-run-tool.ts';
import { addRecallLessons } from './recall-lessons-tool.ts';
import { addStartRun } from './start-run-tool.ts';
import { addSubmitLesson } from './submit-lesson-tool.ts';

/** The most a request may hold: the longest case is 200,000 characters. */
const LONGEST_BODY_BYTES = 2_000_000;
/** Array elements and members of objects in one use of a tool. */
const MOST_ELEMENTS = 2_000;

const INSTRUCTIONS =
  'Hone keeps what was learned from earlier work, and runs experiments that draft, score and improve. Before a task, call recall_lessons with the task. After one that taught you something, call submit_lesson. start_run and read_run work an input through an experiment.';

/**
 * Answers one request of the Model Context Protocol over Streamable HTTP: stateless, each request by a server of its own. Who asks must be known: tokens, Host and Origin are looked at before.
 */
export async function serveMcp(request: Request, asker: Asker & { version: string }): Promise<Response> {
  const handler = createMcpHandler(() => makeServer(asker), {
    // No stream of news: it would stay open, and there is nothing to tell.
    maxSubscriptions: 0,
    maxRequestBodySize: LONGEST_BODY_BYTES,
    onerror: () => undefined,
  });
  return handler.fetch(request);
}

function makeServer(asker: Asker & { version: string }): McpServer {
  const server = new McpServer(
    { name: 'hone', title: 'Hone', version: asker.version },
    { instructions: INSTRUCTIONS, maxToolInputElements: MOST_ELEMENTS },
  );
  addRecallLessons(server, asker);
  addSubmitLesson(server, asker);
  addStartRun(server, asker);
  addReadRun(server, asker);
  return server;
}
