import { readFile } from 'node:fs/promises';
import { z } from 'zod';
import { joinParts, WrongKey, type KeyContext, type KeyProvider } from './key-provider.js';
import { RemoteCalls, TryAgain } from './remote-calls.js';

export interface VaultTransitSettings {
  /** Address of the server, such as `https://vault.example.com:8200`. */
  url: URL;
  /** File with the token. It is read before each call, because an agent renews it. */
  tokenFile: string;
  /** null = no namespace. */
  namespace: string | null;
  /** Path of the transit engine. */
  mount: string;
}

const encrypted = z.object({ data: z.object({ ciphertext: z.string().startsWith('vault:v').max(4_096) }) });
const decrypted = z.object({ data: z.object({ plaintext: z.base64().max(4_096) }) });
const refused = z.object({ errors: z.array(z.string()) });

/** Statuses with which the server refuses a call for the moment: replication lag, rate limits, sealed or failing. */
const TEMPORARY = [408, 412, 429, 472, 473, 500, 502, 503, 504];
/** The server's reasons that prove that the text was altered, or wrapped with another key or for another tenant. */
const WRONG_KEY =
  /message authentication failed|invalid ciphertext: (no prefix|could not decode base64|not enough|could not)/i;
/** Longest body of a response that is read. */
const BODY_MAX_CHARS = 16_384;

/**
 * A key of the transit engine of HashiCorp Vault. It must be of a type with associated data: aes256-gcm96 (the
 * default), aes128-gcm96 or chacha20-poly1305. https://developer.hashicorp.com/vault/api-docs/secret/transit
 */
export class VaultTransitKey implements KeyProvider {
  readonly source = 'vault-transit';
  readonly isRemote = true;
  private readonly calls: RemoteCalls;

  /** @param name the name of the key in the transit engine. */
  constructor(
    readonly id: string,
    private readonly name: string,
    private readonly settings: VaultTransitSettings,
  ) {
    this.calls = new RemoteCalls(`the vault key ${id} at ${settings.url.host}`);
  }

  wrap(dataKey: Buffer, context: KeyContext): Promise<string> {
    const body = { plaintext: dataKey.toString('base64'), ...this.associated(context) };
    return this.calls.run(async (signal) => encrypted.parse(await this.post('encrypt', body, signal)).data.ciphertext);
  }

  unwrap(wrapped: string, context: KeyContext): Promise<Buffer> {
    const body = { ciphertext: wrapped, ...this.associated(context) };
    return this.calls.run(async (signal) => {
      return Buffer.from(decrypted.parse(await this.post('decrypt', body, signal)).data.plaintext, 'base64');
    });
  }

  private associated({ organizationId, projectId }: KeyContext): { associated_data: string } {
    const bytes = joinParts(['causeway.key.v1', this.id, organizationId, projectId]);
    return { associated_data: bytes.toString('base64') };
  }

  private async post(operation: 'encrypt' | 'decrypt', body: object, signal: AbortSignal): Promise<unknown> {
    const { url, namespace, mount, tokenFile } = this.settings;
    const target = new URL(`/v1/${mount}/${operation}/${encodeURIComponent(this.name)}`, url);
    const headers = {
      'content-type': 'application/json',
      'x-vault-request': 'true',
      'x-vault-token': (await readFile(tokenFile, 'utf8')).trim(),
      ...(namespace !== null && { 'x-vault-namespace': namespace }),
    };
    const { status, text } = await send(target, { headers, body: JSON.stringify(body), signal });
    if (status === 200) return JSON.parse(text);
    const reason = reasonIn(text);
    if (TEMPORARY.includes(status)) throw new TryAgain(`status ${status}: ${reason}`);
    if (status === 400 && operation === 'decrypt' && WRONG_KEY.test(reason)) throw new WrongKey(reason);
    throw new Error(`status ${status}: ${reason}`);
  }
}

interface Sent {
  headers: Record<string, string>;
  body: string;
  signal: AbortSignal;
}

/** Redirects are not followed, because they would take the token to another server. */
async function send(target: URL, { headers, body, signal }: Sent): Promise<{ status: number; text: string }> {
  // Only installations with such a key load the client.
  const { request } = await import('undici');
  try {
    const { statusCode: status, body: received } = await request(target, { method: 'POST', headers, body, signal });
    return { status, text: (await received.text()).slice(0, BODY_MAX_CHARS) };
  } catch (cause) {
    throw new TryAgain(`no response from ${target.host}`, { cause });
  }
}

function reasonIn(text: string): string {
  try {
    const { success, data } = refused.safeParse(JSON.parse(text));
    return success && data.errors.length > 0 ? data.errors.join('; ').slice(0, 500) : 'no reason given';
  } catch {
    return 'no reason given';
  }
}
