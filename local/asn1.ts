/** Writes DER with node-forge, for the authorities of the local cloud. */
import forge from 'node-forge';

export const { asn1 } = forge;
export type Node = forge.asn1.Asn1;

export const UNIVERSAL = asn1.Class.UNIVERSAL;
export const primitive = (type: number, value: string) => asn1.create(UNIVERSAL, type, false, value);
const constructed = (type: number, ...parts: Node[]) => asn1.create(UNIVERSAL, type, true, parts);
export const sequence = (...parts: Node[]) => constructed(asn1.Type.SEQUENCE, ...parts);
export const set = (...parts: Node[]) => constructed(asn1.Type.SET, ...parts);
export const oid = (dotted: string) => primitive(asn1.Type.OID, asn1.oidToDer(dotted).getBytes());
export const octets = (bytes: Uint8Array) =>
  primitive(asn1.Type.OCTETSTRING, Buffer.from(bytes).toString('latin1'));
export const integer = (bytes: Uint8Array) =>
  primitive(asn1.Type.INTEGER, Buffer.from(bytes).toString('latin1'));
export const smallInteger = (value: number) => integer(Uint8Array.of(value));
export const context = (tag: number, ...parts: Node[]) =>
  asn1.create(asn1.Class.CONTEXT_SPECIFIC, tag, true, parts);
export const NULL = primitive(asn1.Type.NULL, '');
export const derOf = (node: Node) => Buffer.from(asn1.toDer(node).getBytes(), 'latin1');
export const nodeOf = (der: Uint8Array): Node =>
  asn1.fromDer(forge.util.createBuffer(Buffer.from(der).toString('latin1')));
const digits = (time: Date) => time.toISOString().replace(/[-:T]/g, '').slice(0, 14);
export const generalizedTime = (time: Date) => primitive(asn1.Type.GENERALIZEDTIME, `${digits(time)}Z`);
export const utcTime = (time: Date) => primitive(asn1.Type.UTCTIME, `${digits(time).slice(2)}Z`);
export const enumerated = (value: number) => primitive(asn1.Type.ENUMERATED, String.fromCharCode(value));
export const bits = (bytes: Uint8Array) =>
  primitive(asn1.Type.BITSTRING, `\0${Buffer.from(bytes).toString('latin1')}`);
/** A primitive value under a context tag (IMPLICIT). */
export const implicit = (tag: number, value: string) =>
  asn1.create(asn1.Class.CONTEXT_SPECIFIC, tag, false, value);
export const extension = (id: string, critical: boolean, value: Node) =>
  sequence(oid(id), ...(critical ? [primitive(asn1.Type.BOOLEAN, '\xff')] : []), octets(derOf(value)));
/** The parts of a constructed value. */
export function partsOf(node: Node | undefined): Node[] {
  if (node && typeof node.value !== 'string') return node.value;
  throw new Error('The DER is not as expected.');
}
