import { once } from 'node:events';
import { connect } from 'node:net';

/** Sends bytes as they are, as no HTTP library would, and answers what came back until the connection ended or fell silent for a second. */
export async function sendRaw(port: number, request: string): Promise<string> {
  const socket = connect(port, '127.0.0.1').setEncoding('utf8').setTimeout(1_000);
  let answer = '';
  socket.on('data', (piece: string) => {
    answer += piece;
  });
  socket.on('timeout', () => socket.destroy());
  // Cut off where it was in the middle of sending: what came until then is the answer.
  socket.on('error', () => undefined);
  await once(socket, 'connect');
  socket.write(request);
  await once(socket, 'close');
  return answer;
}
