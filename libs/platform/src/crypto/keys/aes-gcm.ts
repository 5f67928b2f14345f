import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';

const IV_BYTES = 12;
const TAG_BYTES = 16;

/** AES-256-GCM with a random initialization vector. Returns the vector, the tag and the ciphertext in base64. */
export function encrypt(key: Buffer, plain: Buffer, associated: Buffer): string {
  const iv = randomBytes(IV_BYTES);
  const cipher = createCipheriv('aes-256-gcm', key, iv, { authTagLength: TAG_BYTES }).setAAD(associated);
  const data = Buffer.concat([cipher.update(plain), cipher.final()]);
  return Buffer.concat([iv, cipher.getAuthTag(), data]).toString('base64');
}

/** Throws when the key or the associated data differs, or when the text was altered. */
export function decrypt(key: Buffer, text: string, associated: Buffer): Buffer {
  const bytes = Buffer.from(text, 'base64');
  const iv = bytes.subarray(0, IV_BYTES);
  // Without a fixed length, Node accepts shorter tags, which are easier to guess.
  const decipher = createDecipheriv('aes-256-gcm', key, iv, { authTagLength: TAG_BYTES })
    .setAAD(associated)
    .setAuthTag(bytes.subarray(IV_BYTES, IV_BYTES + TAG_BYTES));
  return Buffer.concat([decipher.update(bytes.subarray(IV_BYTES + TAG_BYTES)), decipher.final()]);
}
