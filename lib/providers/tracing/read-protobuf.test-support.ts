/** A field of a Protobuf message: its name in JSON and its type, which is a message for an object. */
type Field = readonly [name: string, type: 'text' | 'id' | 'integer' | 'boolean' | 'double' | Message, isList?: 'list'];
type Message = () => Readonly<Record<number, Field>>;

// Source: opentelemetry/proto/trace/v1/trace.proto and common/v1/common.proto.
const value: Message = () => ({
  1: ['stringValue', 'text'],
  2: ['boolValue', 'boolean'],
  3: ['intValue', 'integer'],
  4: ['doubleValue', 'double'],
  5: ['arrayValue', () => ({ 1: ['values', value, 'list'] })],
});
const attribute: Message = () => ({ 1: ['key', 'text'], 2: ['value', value] });
const span: Message = () => ({
  1: ['traceId', 'id'],
  2: ['spanId', 'id'],
  4: ['parentSpanId', 'id'],
  5: ['name', 'text'],
  6: ['kind', 'integer'],
  9: ['attributes', attribute, 'list'],
  15: ['status', () => ({ 2: ['message', 'text'], 3: ['code', 'integer'] })],
});
const resourceSpans: Message = () => ({
  1: ['resource', () => ({ 1: ['attributes', attribute, 'list'] })],
  2: ['scopeSpans', () => ({ 2: ['spans', span, 'list'] }), 'list'],
});
const request: Message = () => ({ 1: ['resourceSpans', resourceSpans, 'list'] });

/** Converts a trace request of OTLP from Protobuf to the object that is sent as JSON. Skips fields that the tests do not use. */
export function readTraceRequest(bytes: Buffer): unknown {
  return readMessage(bytes, request);
}

function readMessage(bytes: Buffer, message: Message): Record<string, unknown> {
  const fields = message();
  const found: Record<string, unknown> = {};
  let at = 0;
  const varint = () => {
    let result = 0n;
    for (let shift = 0n; ; shift += 7n) {
      const byte = bytes.readUInt8(at++);
      result |= BigInt(byte & 127) << shift;
      if (byte < 128) return result;
    }
  };
  const take = (length: number) => {
    at += length;
    return bytes.subarray(at - length, at);
  };
  while (at < bytes.length) {
    const tag = Number(varint());
    const wire = tag & 7;
    const raw = wire === 0 ? varint() : take(wire === 1 ? 8 : wire === 5 ? 4 : Number(varint()));
    const field = fields[tag >> 3];
    if (field === undefined) continue;
    const [name, type, isList] = field;
    const read = typeof raw === 'bigint' ? (type === 'boolean' ? raw === 1n : Number(raw)) : readBytes(raw, type);
    const { [name]: before } = found;
    found[name] = isList ? [...(Array.isArray(before) ? before : []), read] : read;
  }
  return found;
}

function readBytes(bytes: Buffer, type: Field[1]): unknown {
  if (typeof type === 'function') return readMessage(bytes, type);
  return type === 'double' ? bytes.readDoubleLE() : bytes.toString(type === 'id' ? 'hex' : 'utf8');
}
