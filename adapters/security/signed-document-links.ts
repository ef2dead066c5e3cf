import { timingSafeEqual } from 'node:crypto';
import { instantOf } from '#domain';
import type {
  DocumentGrant,
  DocumentLinks,
} from '../../application/certificates/document-links.ts';
import { createKeyedHash } from './keyed-hash.ts';

/** 22 characters of base64url are 132 bits. */
const SIGNATURE_CHARACTERS = 22;

/** Grants as short texts, signed with HMAC-SHA-256: `sale-until-signature`. */
export class SignedDocumentLinks implements DocumentLinks {
  readonly #sign: (text: string) => string;

  constructor(secret: string) {
    const hash = createKeyedHash(secret);
    this.#sign = (text) => hash(text).slice(0, SIGNATURE_CHARACTERS);
  }

  sign({ saleId, until }: DocumentGrant): string {
    const text = `${saleId.toString(36)}-${(Date.parse(until) / 1_000).toString(36)}`;
    return `${text}-${this.#sign(text)}`;
  }

  read(signed: string): DocumentGrant | undefined {
    const [, text = '', saleId = '', until = '', signature = ''] =
      /^(([0-9a-z]{1,10})-([0-9a-z]{1,8}))-([\w-]{22})$/.exec(signed) ?? [];
    const isOurs =
      signature !== '' && timingSafeEqual(Buffer.from(signature), Buffer.from(this.#sign(text)));
    if (!isOurs) return undefined;
    return {
      saleId: Number.parseInt(saleId, 36),
      until: instantOf(new Date(Number.parseInt(until, 36) * 1_000)),
    };
  }
}
