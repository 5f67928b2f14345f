import { randomBytes } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { decrypt, encrypt } from './keys/aes-gcm.js';
import { DataKeyCache } from './keys/data-key-cache.js';
import { joinParts, type KeyContext, type KeyProvider } from './keys/key-provider.js';
import { KeysUnavailable } from './keys/keys-unavailable.js';
import { Keyring } from './keyring.js';

/** How long the result of a probe of a remote key holds. */
const PROBE_MS = 10_000;
const PROBE: SealContext = { organizationId: '', projectId: '', walletId: '', field: 'probe' };

/** The place to which a sealed record belongs. Only with the same values can the record be decrypted. */
export interface SealContext extends KeyContext {
  walletId: string;
  field: string;
  /** Version of the credentials that the record belongs to; absent for a record that belongs to no credentials. */
  version?: string;
  /**
   * Number of the write, which the database lets only grow; absent = 0. A record with another number is not the current
   * one.
   */
  sequence?: number;
}

/** Format version of the records that this release encrypts and decrypts. */
const VERSION = 1;

/** A stored secret: the text encrypted with a data key, and the data key encrypted with the key `keyId`. */
export interface SealedRecord {
  version: number;
  keyId: string;
  /** `SealContext.sequence` of the write. */
  sequence: number;
  wrappedKey: string;
  text: string;
}

/** Encrypts the texts of one write with one new data key. */
export interface Sealer {
  /** @throws Error when the context is of another tenant than the sealer. */
  seal(text: string, context: SealContext): SealedRecord;
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

/** The record is of an earlier write than the database expects: an old record was put back. */
export class NotCurrent extends CannotOpen {
  constructor(sequence: number, expected: number) {
    super(`the sealed record is of write ${sequence}, but the current one is ${expected}: an old record was put back`);
  }
}

/**
 * Why a record was not opened or sealed. `not_current`: an earlier record was put back; `altered`: it was altered or
 * belongs to another place; `missing_key`: this process lacks its key; `unavailable`: the service of the key does not
 * answer.
 */
export const vaultRefusals = ['not_current', 'altered', 'missing_key', 'unavailable'] as const;
export type VaultRefusal = (typeof vaultRefusals)[number];

/** Envelope encryption of stored secrets. A record that was altered or copied to another wallet cannot be decrypted. */
@Injectable()
export class Vault {
  /** Called whenever a record is refused. */
  onRefusal: (reason: VaultRefusal) => void = () => undefined;
  private readonly cache = new DataKeyCache();
  private probe: { isGood: boolean; until: number } | null = null;

  constructor(private readonly keyring: Keyring) {}

  /** The keys of this process, the primary key first. */
  get keys(): readonly Pick<KeyProvider, 'id' | 'source' | 'isRemote'>[] {
    return this.keyring.keys;
  }

  /** Whether this process has the key `keyId`. */
  has(keyId: string): boolean {
    return this.keyring.find(keyId) !== null;
  }

  /**
   * Makes a new data key for the secrets of one write. Call it before the transaction of the write, because the key
   * may be at a remote service.
   * @throws KeysUnavailable
   */
  async sealer({ id: projectId, organizationId }: { id: string; organizationId: string }): Promise<Sealer> {
    const key = this.keyring.primary;
    const context = { organizationId, projectId };
    const dataKey = randomBytes(32);
    const wrappedKey = await this.counting(() => key.wrap(dataKey, context));
    if (key.isRemote) this.cache.keep(key, wrappedKey, { context, dataKey });
    return {
      seal: (text, of) => {
        if (of.organizationId !== organizationId || of.projectId !== projectId)
          throw new Error('a secret of another tenant cannot be sealed with this data key');
        const sealed = encrypt(dataKey, Buffer.from(text, 'utf8'), associatedData(of));
        return { version: VERSION, keyId: key.id, sequence: of.sequence ?? 0, wrappedKey, text: sealed };
      },
    };
  }

  /** @throws KeysUnavailable */
  async seal(text: string, context: SealContext): Promise<SealedRecord> {
    const { organizationId, projectId: id } = context;
    return (await this.sealer({ id, organizationId })).seal(text, context);
  }

  /**
   * @throws CannotOpen
   * @throws NotCurrent when the record is of another write than `context.sequence`.
   * @throws KeysUnavailable when the service of its key cannot answer now.
   */
  async open(record: SealedRecord, context: SealContext): Promise<string> {
    const { version, sequence } = record;
    if (version !== VERSION) {
      throw this.refused('altered', new CannotOpen(wrongVersion(version)));
    }
    const expected = context.sequence ?? 0;
    if (sequence !== expected) throw this.refused('not_current', new NotCurrent(sequence, expected));
    const key = this.keyring.find(record.keyId);
    if (key === null) throw this.refused('missing_key', new CannotOpen(undefined, missingKey(record.keyId)));
    try {
      const dataKey = await this.unwrap(key, record.wrappedKey, context);
      try {
        return decrypt(dataKey, record.text, associatedData(context)).toString('utf8');
      } finally {
        dataKey.fill(0);
      }
    } catch (cause) {
      if (cause instanceof KeysUnavailable) throw cause;
      throw this.refused('altered', new CannotOpen(undefined, cause));
    }
  }

  /**
   * Seals a record again with another sealer, for the same context and of the same write.
   * @throws CannotOpen, KeysUnavailable
   */
  async reseal(record: SealedRecord, context: Omit<SealContext, 'sequence'>, sealer: Sealer): Promise<SealedRecord> {
    const ofWrite = { ...context, sequence: record.sequence };
    return sealer.seal(await this.open(record, ofWrite), ofWrite);
  }

  /** Whether the primary key answers. A remote key is asked at most once in ten seconds. */
  async works(): Promise<boolean> {
    if (this.probe !== null && performance.now() < this.probe.until) return this.probe.isGood;
    const isGood = await this.roundTrip();
    this.probe = this.keyring.primary.isRemote ? { isGood, until: performance.now() + PROBE_MS } : null;
    return isGood;
  }

  private async roundTrip(): Promise<boolean> {
    try {
      const { primary: key } = this.keyring;
      const dataKey = randomBytes(32);
      const wrapped = await key.wrap(dataKey, PROBE);
      return dataKey.equals(await key.unwrap(wrapped, PROBE));
    } catch {
      return false;
    }
  }

  private unwrap(key: KeyProvider, wrapped: string, { organizationId, projectId }: KeyContext): Promise<Buffer> {
    const context = { organizationId, projectId };
    return this.counting(() =>
      key.isRemote ? this.cache.unwrap(key, wrapped, context) : key.unwrap(wrapped, context),
    );
  }

  private async counting<T>(call: () => Promise<T>): Promise<T> {
    try {
      return await call();
    } catch (error) {
      if (error instanceof KeysUnavailable) this.onRefusal('unavailable');
      throw error;
    }
  }

  private refused(reason: VaultRefusal, error: CannotOpen): CannotOpen {
    this.onRefusal(reason);
    return error;
  }
}

function wrongVersion(version: unknown): string {
  return `the sealed record has the version ${String(version)}, and this release opens version ${VERSION} only`;
}

function missingKey(id: string): Error {
  return new Error(`the vault has no key-encryption key ${id}: add it to VAULT_KEYS_FILE or VAULT_KEYS`);
}

function associatedData({ organizationId, projectId, walletId, field, version, sequence }: SealContext): Buffer {
  return joinParts(['causeway.v1', organizationId, projectId, walletId, field, version ?? '', String(sequence ?? 0)]);
}
