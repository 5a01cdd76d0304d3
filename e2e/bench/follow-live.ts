import { Agent, get } from 'node:http';

/** Events that one client received: each stored event with its arrival time in Unix milliseconds. */
export type FollowedRun = { runId: string; openedAt: number; events: { number: number; at: number }[]; texts: number };

/** Follows a run to its end over a separate connection. Calls `onOpen` when the stream is open. */
export function followLive(address: string, runId: string, onOpen?: () => void): Promise<FollowedRun> {
  return new Promise((resolve, reject) => {
    const followed: FollowedRun = { runId, openedAt: 0, events: [], texts: 0 };
    const agent = new Agent({ keepAlive: false });
    const request = get(`${address}/api/v1/runs/${runId}/events`, { agent }, (response) => {
      if (response.statusCode !== 200) {
        response.resume();
        return reject(new Error(`the stream of ${runId} answered ${response.statusCode}`));
      }
      followed.openedAt = Date.now();
      onOpen?.();
      let text = '';
      response.setEncoding('utf8').on('data', (piece: string) => {
        const at = Date.now();
        const frames = (text + piece).split('\n\n');
        text = frames.pop() ?? '';
        for (const frame of frames) {
          const number = /^id: (\d+)/.exec(frame)?.[1];
          if (number !== undefined) followed.events.push({ number: Number(number), at });
          else if (frame.startsWith('event: text')) followed.texts += 1;
        }
      });
      response.on('error', reject);
      response.on('end', () => resolve(followed));
    });
    request.on('error', reject);
  });
}
