import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';

type Job = { id: string; attempt: number; leaseSeconds: number; input: object };
type Result = { output?: string; trace?: string | unknown[]; error?: { message: string; retry: boolean } };

/** Fake of the Hone API for targets, with an in-memory queue. */
export class ScriptedTargets {
  readonly registrations: { name: string; body: unknown }[] = [];
  readonly claims: { worker: string; max: number; waitSeconds: number }[] = [];
  readonly beats: { worker: string; jobs: string[] }[] = [];
  readonly signedOff: string[] = [];
  readonly results = new Map<string, Result>();
  /** Jobs that the next heartbeat reports as lost. */
  readonly lost = new Set<string>();
  /** Number of requests to fail by the last path segment, with this status. 0 closes the connection. */
  readonly refused: { path: string; status: number; times: number }[] = [];
  readonly #queue: Job[] = [];
  #wake = () => {};
  readonly #server = createServer((request, response) => {
    // A killed worker aborts its requests.
    this.#answer(request, response).catch(() => {});
  });

  async listen(port: number): Promise<void> {
    this.#server.listen(port, '127.0.0.1');
    await once(this.#server, 'listening');
  }

  close(): void {
    this.#server.closeAllConnections();
    this.#server.close();
  }

  add(input: string, leaseSeconds = 30): string {
    const id = `job-${input}`;
    const components = input === 'own' ? {} : { system_prompt: 'Be brief.' };
    const given = { case: { input, tags: [], metadata: {} }, components };
    const rest = { run: null, version: 0, purpose: 'attempt', feedback: null, lessons: [], target: 'greeter' };
    this.#queue.push({ id, attempt: 1, leaseSeconds, input: { id, callbackUrl: null, ...given, ...rest } });
    this.#wake();
    return id;
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const [, name = '', path = ''] = /^\/api\/v1\/targets\/([^/]+)(.*)$/.exec(request.url ?? '') ?? [];
    const body = JSON.parse(Buffer.concat(await request.toArray()).toString('utf8'));
    const refusal = this.refused.find((one) => path.endsWith(one.path) && one.times > 0);
    if (refusal !== undefined) {
      refusal.times -= 1;
      if (refusal.status === 0) return void request.socket.destroy();
      return send(response, refusal.status, { error: { code: 'refused', message: 'Not now.' } });
    }
    if (request.method === 'PUT') {
      this.registrations.push({ name: decodeURIComponent(name), body });
      return send(response, 200, { name });
    }
    if (path === '/jobs/claim') return this.#claim(body, request, response);
    if (path === '/workers/sign-off') {
      this.signedOff.push(body.worker);
      return send(response, 200, { deleted: { workers: 1 } });
    }
    if (path === '/jobs/heartbeat') {
      this.beats.push(body);
      const lost = body.jobs.filter((id: string) => this.lost.has(id));
      return send(response, 200, { held: body.jobs.filter((id: string) => !this.lost.has(id)), lost });
    }
    const [, id = ''] = /^\/jobs\/(.+)\/result$/.exec(path) ?? [];
    this.results.set(id, body);
    send(response, 200, { accepted: true });
  }

  async #claim(claim: ScriptedTargets['claims'][number], request: IncomingMessage, response: ServerResponse) {
    this.claims.push(claim);
    const left = once(request.socket, 'close');
    while (this.#queue.length === 0) {
      const added = new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
      if ((await Promise.race([added.then(() => 'added'), left.then(() => 'left')])) === 'left') return;
    }
    send(response, 200, { jobs: this.#queue.splice(0, claim.max) });
  }
}

function send(response: ServerResponse, status: number, value: unknown): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(value));
}
