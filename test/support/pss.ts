import { constants } from 'node:crypto';
import { contextTag } from '../../shared/sealing/der.ts';
import { encode, integer, oid, sequence } from '../../shared/sealing/der-encode.ts';
import { OIDS } from '../../shared/sealing/oids.ts';

/** Makes Node sign by RSASSA-PSS with the algorithm below. */
export const PSS = { padding: constants.RSA_PKCS1_PSS_PADDING, saltLength: 32 };

export const pss = (digest: string, maskDigest = digest): Buffer =>
  sequence(
    oid(OIDS.rsaPss),
    sequence(
      encode(contextTag(0), sequence(oid(digest))),
      encode(contextTag(1), sequence(oid(OIDS.mgf1), sequence(oid(maskDigest)))),
      encode(contextTag(2), integer(32)),
    ),
  );
