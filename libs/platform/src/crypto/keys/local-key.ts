import { decrypt, encrypt } from './aes-gcm.js';
import { joinParts, WrongKey, type KeyContext, type KeyProvider } from './key-provider.js';

/** A key-encryption key whose bytes this process has. */
export class LocalKey implements KeyProvider {
  readonly isRemote = false;

  constructor(
    readonly id: string,
    private readonly key: Buffer,
    readonly source: 'file' | 'environment' = 'file',
  ) {}

  wrap(dataKey: Buffer, context: KeyContext): Promise<string> {
    return Promise.resolve(encrypt(this.key, dataKey, this.associated(context)));
  }

  unwrap(wrapped: string, context: KeyContext): Promise<Buffer> {
    try {
      return Promise.resolve(decrypt(this.key, wrapped, this.associated(context)));
    } catch (cause) {
      return Promise.reject(new WrongKey(`the key ${this.id} does not unwrap the data key`, { cause }));
    }
  }

  private associated({ organizationId, projectId }: KeyContext): Buffer {
    return joinParts(['causeway.key.v1', this.id, organizationId, projectId]);
  }
}
