import { serveMcp } from '#lib/runs/mcp/serve-mcp.ts';
import { getWorkshop } from '#lib/runs/open-workshop.ts';
import { getRunningApp } from '#lib/start/running-app.ts';
import { type Actor, authorize } from '#lib/team/authorize.ts';
import { answer } from '../v1/answer.ts';
import { logBug } from '../v1/log-bug.ts';

/** Hone as a server of tools for agents (Model Context Protocol, Streamable HTTP). Nobody gets in without an API token. */
export async function POST(request: Request): Promise<Response> {
  return answer(async () => {
    const actor = await authorize({ name: 'POST /api/mcp', role: 'reviewer', token: 'needed' });
    return serve(request, actor);
  });
}

/** Asks for a stream of news, which there is none of: 405, as the protocol has it. */
export async function GET(request: Request): Promise<Response> {
  return answer(async () => {
    const actor = await authorize({ name: 'GET /api/mcp', role: 'viewer', token: 'needed' });
    return serve(request, actor);
  });
}

/** Asks to end a session, which there is none of: 405, as the protocol has it. */
export async function DELETE(request: Request): Promise<Response> {
  return answer(async () => {
    const actor = await authorize({ name: 'DELETE /api/mcp', role: 'reviewer', token: 'needed' });
    return serve(request, actor);
  });
}

async function serve(request: Request, actor: Actor): Promise<Response> {
  const { address, version } = getRunningApp();
  return serveMcp(request, { workshop: await getWorkshop(), actor, address, version, logBug });
}
