/** The tenant to which a wrapped data key is bound. */
export interface KeyContext {
  organizationId: string;
  projectId: string;
}

/** Where the bytes of a key-encryption key are. */
export type KeySource = 'file' | 'environment' | 'aws-kms' | 'vault-transit';

/** Wraps and unwraps data keys with one key-encryption key. */
export interface KeyProvider {
  /** Id of the key. Each sealed record names it. */
  readonly id: string;
  readonly source: KeySource;
  /** Whether each call goes over the network. */
  readonly isRemote: boolean;

  /** @throws KeysUnavailable */
  wrap(dataKey: Buffer, context: KeyContext): Promise<string>;

  /**
   * @throws WrongKey when the text was wrapped with another key or for another tenant, or was altered.
   * @throws KeysUnavailable when the service of the key cannot answer now.
   */
  unwrap(wrapped: string, context: KeyContext): Promise<Buffer>;
}

/** A wrapped data key does not belong to this key and tenant, or was altered. No later attempt can unwrap it. */
export class WrongKey extends Error {}

/** Returns the bytes of several texts. Each has a length prefix, so that different lists never have the same bytes. */
export function joinParts(parts: readonly string[]): Buffer {
  return Buffer.concat(
    parts.flatMap((part) => {
      const bytes = Buffer.from(part, 'utf8');
      const length = Buffer.alloc(4);
      length.writeUInt32BE(bytes.length);
      return [length, bytes];
    }),
  );
}
