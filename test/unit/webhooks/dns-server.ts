import { createSocket, type Socket } from 'node:dgram';
import { once } from 'node:events';

interface DnsServer {
  address: string;
  /** The questions received, as `A name` or `AAAA name`. */
  questions: string[];
  close(): void;
}

const A = 1;
const AAAA = 28;

/** Starts a name server. `answer` returns the addresses of a name, or undefined to send no response. */
export async function dnsServer(
  answer: (name: string, type: 'A' | 'AAAA') => string[] | undefined,
): Promise<DnsServer> {
  const socket = createSocket('udp4');
  const questions: string[] = [];
  socket.on('message', (query, peer) => {
    const { name, type, end } = question(query);
    const family = type === AAAA ? 'AAAA' : 'A';
    questions.push(`${family} ${name}`);
    const addresses = type === A || type === AAAA ? answer(name, family) : [];
    if (addresses) socket.send(response(query, end, type, addresses), peer.port, peer.address);
  });
  socket.bind(0, '127.0.0.1');
  await once(socket, 'listening');
  return { address: `127.0.0.1:${portOf(socket)}`, questions, close: () => socket.close() };
}

const portOf = (socket: Socket) => socket.address().port;

function question(query: Buffer): { name: string; type: number; end: number } {
  const labels: string[] = [];
  let at = 12;
  for (let length = query.readUInt8(at); length > 0; length = query.readUInt8(at)) {
    labels.push(query.toString('latin1', at + 1, at + 1 + length));
    at += 1 + length;
  }
  return { name: labels.join('.').toLowerCase(), type: query.readUInt16BE(at + 1), end: at + 5 };
}

const packed = (address: string) =>
  address.includes(':')
    ? Buffer.from(ipv6Groups(address).flatMap((group) => [group >> 8, group & 0xff]))
    : Buffer.from(address.split('.').map(Number));

function ipv6Groups(address: string): number[] {
  const [head = '', tail = ''] = address.split('::');
  const parse = (part: string) => (part ? part.split(':').map((group) => Number.parseInt(group, 16)) : []);
  const [before, after] = [parse(head), parse(tail)];
  return [...before, ...Array<number>(8 - before.length - after.length).fill(0), ...after];
}

function response(query: Buffer, end: number, type: number, addresses: string[]): Buffer {
  const head = Buffer.from(query.subarray(0, end));
  head.writeUInt16BE(0x8180, 2);
  head.writeUInt16BE(addresses.length, 6);
  head.writeUInt16BE(0, 10);
  const records = addresses.map((address) => {
    const data = packed(address);
    const record = Buffer.alloc(12);
    record.writeUInt16BE(0xc00c, 0);
    record.writeUInt16BE(type, 2);
    record.writeUInt16BE(1, 4);
    record.writeUInt32BE(0, 6);
    record.writeUInt16BE(data.length, 10);
    return Buffer.concat([record, data]);
  });
  return Buffer.concat([head, ...records]);
}
