import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';

/** A local server that counts connections. `sent` holds the headers of each request as JSON. */
export type RecordingServer = {
  port: number;
  sent: readonly string[];
  connections(): number;
  requests(): number;
  stop(): Promise<void>;
};

/** Starts a recording server on all IPv4 and IPv6 addresses of this machine. */
export async function startRecordingServer(listener: RequestListener): Promise<RecordingServer> {
  let connections = 0;
  let requests = 0;
  const sent: string[] = [];
  const server = createServer((request, response) => {
    requests += 1;
    sent.push(JSON.stringify(request.headers));
    listener(request, response);
  });
  server.on('connection', () => {
    connections += 1;
  });
  server.listen(0);
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('no port was given');
  return {
    port: address.port,
    sent,
    connections: () => connections,
    requests: () => requests,
    stop: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
