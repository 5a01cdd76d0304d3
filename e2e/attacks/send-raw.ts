import { once } from 'node:events';
import { connect } from 'node:net';

/** Sends raw bytes that no HTTP library would send. Returns what was received until the connection closed or was idle for one second. */
export async function sendRaw(port: number, request: string): Promise<string> {
  const socket = connect(port, '127.0.0.1').setEncoding('utf8').setTimeout(1_000);
  let answer = '';
  socket.on('data', (piece: string) => {
    answer += piece;
  });
  socket.on('timeout', () => socket.destroy());
  // The server may reset the connection during the send. The data received until then is the response.
  socket.on('error', () => undefined);
  await once(socket, 'connect');
  socket.write(request);
  await once(socket, 'close');
  return answer;
}
