import { createHmac } from 'node:crypto';
import { createServer } from 'node:http';

/** Pause and delivery ids of a request, which the response must repeat. */
export type Asked = { pauseId: string; delivery: string };

export type DecidingService = {
  url: string;
  /** Secret that signs the responses. */
  secret: string;
  /** Accepts requests but never responds. */
  hangs: boolean;
  /** Overrides the ids in the response. By default they are those of the request. */
  bind(asked: Asked): Asked;
  seen: { delivery: string; body: string }[];
  stop(): void;
};

/** Starts a fake decision webhook that responds to every pause with this decision, bound to the request and signed with its secret. */
export async function startDecidingService(decision: object): Promise<DecidingService> {
  const service: DecidingService = {
    url: '',
    secret: 'not the webhook’s',
    hangs: false,
    bind: (asked) => asked,
    seen: [],
    stop: () => server.close(),
  };
  const server = createServer((request, response) => {
    let body = '';
    request.setEncoding('utf8').on('data', (text: string) => {
      body += text;
    });
    request.on('end', () => {
      service.seen.push({ delivery: String(request.headers['hone-delivery']), body });
      if (service.hangs) return;
      const { pauseId, delivery } = JSON.parse(body);
      const answer = JSON.stringify({ ...decision, ...service.bind({ pauseId, delivery }) });
      const timestamp = String(Math.floor(Date.now() / 1000));
      const signature = createHmac('sha256', service.secret).update(`${timestamp}.${answer}`).digest('hex');
      response.setHeaders(
        new Map([
          ['hone-timestamp', timestamp],
          ['hone-signature', signature],
        ]),
      );
      response.end(answer);
    });
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  const address = server.address();
  service.url = `http://127.0.0.1:${typeof address === 'object' && address !== null ? address.port : 0}/decide`;
  return service;
}
