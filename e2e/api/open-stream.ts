import { get } from 'node:http';

/** One received event. `id` is null for live text. */
export type StreamedEvent = { id: number | null; type: string; data: unknown };

export type Stream = {
  headers: Record<string, string | string[] | undefined>;
  /** Reads until `count` more stored events arrived or the stream ends. Returns all events since the last call. */
  take(count: number): Promise<StreamedEvent[]>;
  untilEnd(): Promise<StreamedEvent[]>;
  /** Closes the connection. */
  cut(): void;
};

/** Follows a run's events as a plain HTTP client. */
export function openStream(
  address: string,
  runId: string,
  resume: { lastEventId: number | null; by: 'header' | 'query' } = { lastEventId: null, by: 'header' },
): Promise<Stream> {
  const { lastEventId, by } = resume;
  const query = lastEventId !== null && by === 'query' ? `?lastEventId=${lastEventId}` : '';
  const headers: Record<string, string> =
    lastEventId !== null && by === 'header' ? { 'last-event-id': String(lastEventId) } : {};
  return new Promise((resolve, reject) => {
    const request = get(`${address}/api/v1/runs/${runId}/events${query}`, { headers, agent: false }, (response) => {
      let text = '';
      let ended = false;
      let changed: () => void = () => undefined;
      const notify = () => changed();
      response.setEncoding('utf8');
      response.on('data', (piece: string) => {
        text += piece;
        notify();
      });
      response.on('error', () => undefined);
      response.on('close', () => {
        ended = true;
        notify();
      });
      const take = async (count: number): Promise<StreamedEvent[]> => {
        const events: StreamedEvent[] = [];
        for (;;) {
          for (
            let at = text.indexOf('\n\n');
            at !== -1 && events.filter((event) => event.id !== null).length < count;
            at = text.indexOf('\n\n')
          ) {
            const event = readFrame(text.slice(0, at));
            text = text.slice(at + 2);
            if (event !== null) events.push(event);
          }
          if (ended || events.filter((event) => event.id !== null).length >= count) return events;
          await new Promise<void>((wake) => {
            changed = wake;
          });
        }
      };
      resolve({
        headers: response.headers,
        take,
        untilEnd: () => take(Number.POSITIVE_INFINITY),
        cut: () => void request.destroy(),
      });
    });
    request.on('error', reject);
  });
}

/** Returns null for comments and `retry`. */
function readFrame(frame: string): StreamedEvent | null {
  const fields = new Map(
    frame.split('\n').map((line) => [line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 2)]),
  );
  const type = fields.get('event');
  if (type === undefined) return null;
  const id = fields.get('id');
  return { id: id === undefined ? null : Number(id), type, data: JSON.parse(fields.get('data') ?? 'null') };
}
