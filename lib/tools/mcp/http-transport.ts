import {
  isJSONRPCRequest,
  type JSONRPCMessage,
  StreamableHTTPClientTransport,
  type TransportSendOptions,
} from '@modelcontextprotocol/client';

/** The code of an answer that stands for none: the stream of a request ended before it came. */
export const STREAM_ENDED = -32_099;

/** Streamable HTTP on which a request whose stream breaks off fails at once: the SDK's own would wait for its time-out. */
export class HttpTransport extends StreamableHTTPClientTransport {
  override send(message: JSONRPCMessage | JSONRPCMessage[], options: TransportSendOptions = {}): Promise<void> {
    if (Array.isArray(message) || !isJSONRPCRequest(message)) return super.send(message, options);
    const { id } = message;
    return super.send(message, {
      ...options,
      onRequestStreamEnd: () => {
        options.onRequestStreamEnd?.();
        // Where the answer had come, nobody waits for this one.
        this.onmessage?.({ jsonrpc: '2.0', id, error: { code: STREAM_ENDED, message: 'the stream ended' } });
      },
    });
  }
}
