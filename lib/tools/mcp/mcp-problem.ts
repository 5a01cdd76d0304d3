import { ProtocolError, SdkError, SdkErrorCode, SdkHttpError, UnauthorizedError } from '@modelcontextprotocol/client';
import { RefusedAddressError } from '#lib/outgoing/outgoing-address.ts';
import { type McpProblem, type McpTarget, STREAM_ENDED } from './connect-mcp.ts';

/** Of what a server or the network says, in characters. */
const MOST_SAID = 300;

/** Why a server was of no use, in words. What it sent itself is short, and hostile. */
export function mcpProblem(target: McpTarget, error: unknown): McpProblem {
  const refused = causeIn(error, (cause) => cause instanceof RefusedAddressError);
  if (refused !== null)
    return problem(
      `was not called: its address ${refused.message}.`,
      'Change its URL, or ask the operator to add the host to HONE_ALLOWED_PRIVATE_HOSTS.',
    );
  if (error instanceof ProtocolError && error.code === STREAM_ENDED) return brokeOff(target);
  if (error instanceof ProtocolError)
    return problem(`answered with an error: ${said(error.message)}`, 'Check the log of the server.');
  if (error instanceof UnauthorizedError) return unauthorized();
  if (error instanceof SdkHttpError) return httpProblem(error.status);
  if (error instanceof SdkError) return sdkProblem(target, error);
  if (isTimeout(error)) return tooSlow(target);
  if (codeOf(error) === 'ENOENT' && target.kind === 'stdio')
    return problem(
      'could not be started: there is no such program.',
      'Check HONE_MCP_COMMANDS, and that it is installed.',
    );
  return unreachable(target, error);
}

/** Whether a server says that it does not know the session, as one that was started anew does: the request was not looked at. */
export function isForgottenSession(error: unknown): boolean {
  return error instanceof SdkHttpError && error.status === 404;
}

function httpProblem(status: number): McpProblem {
  if (status === 401 || status === 403) return unauthorized(status);
  if (status >= 300 && status < 400)
    return problem(
      `answered with a redirect (${status}), which is not followed.`,
      'If you trust the new address, enter it as the URL.',
    );
  if (status === 404 || status === 405)
    return problem(
      `answered with status ${status}.`,
      'Check the path of the URL: it is often /mcp. The server must use Streamable HTTP.',
    );
  return problem(
    `answered with status ${status}.`,
    status >= 500 ? 'Check the log of the server.' : 'Check that the server uses Streamable HTTP.',
  );
}

function sdkProblem(target: McpTarget, error: SdkError): McpProblem {
  switch (error.code) {
    case SdkErrorCode.RequestTimeout:
      return tooSlow(target);
    case SdkErrorCode.ConnectionClosed:
    case SdkErrorCode.NotConnected:
    case SdkErrorCode.SendFailed:
      return brokeOff(target);
    default: {
      // The negotiation of protocols puts what the network said behind an error of its own.
      const cause = causeIn(error, (one) => codeOf(one) !== null);
      if (cause !== null) return unreachable(target, cause);
      return problem(
        `sent a response that is not valid MCP: ${said(error.message)}`,
        'Check that the URL is that of an MCP server.',
      );
    }
  }
}

function brokeOff(target: McpTarget): McpProblem {
  return target.kind === 'stdio'
    ? problem('ended before it answered.', 'Run its command by hand to see what it says.')
    : problem('closed the connection before it answered.', 'Check that the server runs, and check its log.');
}

function unauthorized(status = 401): McpProblem {
  return problem(
    `refused access (status ${status}).`,
    'Add the header that it requires, such as Authorization: Bearer and a token.',
  );
}

function tooSlow({ timeoutMs }: McpTarget): McpProblem {
  return problem(`did not answer within ${timeoutMs / 1000} seconds.`, 'Check that it runs, or raise its timeout.');
}

function unreachable(target: McpTarget, error: unknown): McpProblem {
  const what = said(error instanceof Error && error.message !== '' ? error.message : 'the connection failed');
  return target.kind === 'stdio'
    ? problem(`could not be used: ${what}`, 'Run its command by hand to see what it says.')
    : problem(`could not be reached: ${what}`, 'Check that the server runs and that the URL is right.');
}

function problem(message: string, remedy: string): McpProblem {
  return { ok: false, message, remedy };
}

function said(text: string): string {
  const short = text.replace(/\s+/g, ' ').trim().slice(0, MOST_SAID).toWellFormed();
  return /[.!?]$/.test(short) ? short : `${short}.`;
}

function isTimeout(error: unknown): boolean {
  return error instanceof Error && error.name === 'TimeoutError';
}

function codeOf(error: unknown): string | null {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' && /^E[A-Z]+$/.test(error.code)
    ? error.code
    : null;
}

/** The first error that is meant among an error and what caused it. */
function causeIn(error: unknown, isMeant: (cause: Error) => boolean): Error | null {
  let cause = error;
  for (let depth = 0; depth < 5 && cause instanceof Error; depth++) {
    if (isMeant(cause)) return cause;
    const inData = cause instanceof SdkError && isObject(cause.data) ? cause.data.cause : undefined;
    cause = cause.cause ?? inData;
  }
  return null;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}
