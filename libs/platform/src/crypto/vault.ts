import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { Keyring } from './keyring.js';

/** The place to which a sealed record belongs. Only with the same four values can the record be decrypted. */
export interface SealContext {
  organizationId: string;
  projectId: string;
  walletId: string;
  field: string;
}

/** AES-256-GCM output in base64. */
interface Box {
  iv: string;
  data: string;
  tag: string;
}

/** Format version of the records that this release encrypts and decrypts. */
const VERSION = 1;

/** A stored secret: the text encrypted with its own data key, and the data key encrypted with the key `keyId`. */
export interface SealedRecord {
  version: number;
  keyId: string;
  wrappedKey: Box;
  text: Box;
}

/** The record cannot be decrypted: its version or context differs, it was altered, or its key is missing. */
export class CannotOpen extends Error {
  constructor(
    message = 'the sealed record cannot be decrypted: it was altered or copied, or its key is missing',
    cause?: unknown,
  ) {
    super(message, { cause });
  }
}

/** Envelope encryption of stored secrets. A record that was altered or copied to another wallet cannot be decrypted. */
@Injectable()
export class Vault {
  constructor(private readonly keyring: Keyring) {}

  /** Whether this process has the key `keyId`. */
  has(keyId: string): boolean {
    return this.keyring.keys.some(({ id }) => id === keyId);
  }

  seal(text: string, context: SealContext): SealedRecord {
    const { id, key } = this.keyring.primary;
    const dataKey = randomBytes(32);
    const associated = associatedData(context);
    return {
      version: VERSION,
      keyId: id,
      wrappedKey: encrypt(key, dataKey, associated),
      text: encrypt(dataKey, Buffer.from(text, 'utf8'), associated),
    };
  }

  /** @throws CannotOpen */
  open(record: SealedRecord, context: SealContext): string {
    const { version } = record;
    if (version !== VERSION) {
      throw new CannotOpen(
        `the sealed record has the version ${String(version)}, and this release opens version ${VERSION} only`,
      );
    }
    try {
      const associated = associatedData(context);
      const dataKey = decrypt(this.keyring.get(record.keyId), record.wrappedKey, associated);
      return decrypt(dataKey, record.text, associated).toString('utf8');
    } catch (cause) {
      throw new CannotOpen(undefined, cause);
    }
  }
}

/** Each part has a length prefix, so that different contexts never have the same bytes. */
function associatedData(context: SealContext): Buffer {
  const parts = ['causeway.v1', context.organizationId, context.projectId, context.walletId, context.field];
  return Buffer.concat(
    parts.flatMap((part) => {
      const bytes = Buffer.from(part, 'utf8');
      const length = Buffer.alloc(4);
      length.writeUInt32BE(bytes.length);
      return [length, bytes];
    }),
  );
}

function encrypt(key: Buffer, plain: Buffer, associated: Buffer): Box {
  const iv = randomBytes(12);
  const cipher = createCipheriv('aes-256-gcm', key, iv).setAAD(associated);
  const data = Buffer.concat([cipher.update(plain), cipher.final()]);
  return { iv: iv.toString('base64'), data: data.toString('base64'), tag: cipher.getAuthTag().toString('base64') };
}

function decrypt(key: Buffer, box: Box, associated: Buffer): Buffer {
  const decipher = createDecipheriv('aes-256-gcm', key, Buffer.from(box.iv, 'base64'), { authTagLength: 16 })
    .setAAD(associated)
    .setAuthTag(Buffer.from(box.tag, 'base64'));
  return Buffer.concat([decipher.update(Buffer.from(box.data, 'base64')), decipher.final()]);
}
