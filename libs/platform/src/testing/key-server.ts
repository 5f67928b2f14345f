import { createCipheriv, createDecipheriv, createHash, randomBytes } from 'node:crypto';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

/** The token that the transit engine accepts, with the namespace `team`. */
export const TRANSIT_TOKEN = 'hvs.test-token';

interface Answer {
  status: number;
  body: object;
}

/** A server of keys. Its next answers can be scripted: a status, or no answer at all. */
export class KeyServer {
  readonly asked: { headers: IncomingMessage['headers']; path: string; body: Record<string, unknown> }[] = [];
  next: (number | 'silence')[] = [];
  isDown = false;
  private readonly server: Server;

  constructor(
    private readonly answer: (asked: KeyServer['asked'][number]) => Answer,
    private readonly failure: (status: number) => object,
  ) {
    this.server = createServer((request, response) => {
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('end', () => {
        const body = JSON.parse(Buffer.concat(chunks).toString()) as Record<string, unknown>;
        const asked = { headers: request.headers, path: request.url ?? '', body };
        this.asked.push(asked);
        const scripted = this.isDown ? 503 : this.next.shift();
        if (scripted === 'silence') return;
        const { status, body: sent } =
          scripted === undefined ? this.answer(asked) : { status: scripted, body: this.failure(scripted) };
        response.writeHead(status, { 'content-type': 'application/x-amz-json-1.1' }).end(JSON.stringify(sent));
      });
    });
  }

  async listen(): Promise<string> {
    await new Promise<void>((resolve) => this.server.listen(0, '127.0.0.1', resolve));
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  close(): void {
    this.server.closeAllConnections();
    this.server.close();
  }
}

function seal(key: string, plain: Buffer, associated: string): Buffer {
  const iv = randomBytes(12);
  const cipher = createCipheriv('aes-256-gcm', createHash('sha256').update(key).digest(), iv);
  const data = Buffer.concat([cipher.setAAD(Buffer.from(associated)).update(plain), cipher.final()]);
  return Buffer.concat([iv, cipher.getAuthTag(), data]);
}

function unseal(key: string, bytes: Buffer, associated: string): Buffer | null {
  const decipher = createDecipheriv('aes-256-gcm', createHash('sha256').update(key).digest(), bytes.subarray(0, 12));
  decipher.setAAD(Buffer.from(associated)).setAuthTag(bytes.subarray(12, 28));
  try {
    return Buffer.concat([decipher.update(bytes.subarray(28)), decipher.final()]);
  } catch {
    return null;
  }
}

/** https://docs.aws.amazon.com/kms/latest/APIReference/API_Encrypt.html and API_Decrypt.html (JSON 1.1) */
export function kmsServer(): KeyServer {
  return new KeyServer(
    ({ headers, body }) => {
      const isSigned = /^AWS4-HMAC-SHA256 Credential=AKIDTEST\/\d{8}\/eu-central-1\/kms\/aws4_request/;
      if (!isSigned.test(headers.authorization ?? '') || headers['x-amz-date'] === undefined)
        return { status: 400, body: { __type: 'IncompleteSignature' } };
      const pairs = new URLSearchParams(body.EncryptionContext as Record<string, string>);
      pairs.sort();
      const associated = pairs.toString();
      if (headers['x-amz-target'] === 'TrentService.Encrypt') {
        const sealed = seal(String(body.KeyId), Buffer.from(String(body.Plaintext), 'base64'), associated);
        return { status: 200, body: { CiphertextBlob: sealed.toString('base64'), KeyId: body.KeyId } };
      }
      const opened = unseal(String(body.KeyId), Buffer.from(String(body.CiphertextBlob), 'base64'), associated);
      if (opened === null) return { status: 400, body: { __type: 'InvalidCiphertextException' } };
      return { status: 200, body: { Plaintext: opened.toString('base64'), KeyId: body.KeyId } };
    },
    (status) => ({
      __type: { 403: 'AccessDeniedException', 429: 'ThrottlingException' }[status] ?? 'KMSInternalException',
    }),
  );
}

/** https://developer.hashicorp.com/vault/api-docs/secret/transit#encrypt-data and #decrypt-data */
export function transitServer(): KeyServer {
  return new KeyServer(
    ({ headers, path: target, body }) => {
      if (headers['x-vault-token'] !== TRANSIT_TOKEN || headers['x-vault-namespace'] !== 'team')
        return { status: 403, body: { errors: ['permission denied'] } };
      const [, operation, key] = /^\/v1\/transit\/(encrypt|decrypt)\/([a-z-]+)$/.exec(target) ?? [];
      if (key === undefined) return { status: 404, body: { errors: [] } };
      const associated = String(body.associated_data);
      if (operation === 'encrypt') {
        const sealed = seal(key, Buffer.from(String(body.plaintext), 'base64'), associated);
        return { status: 200, body: { data: { ciphertext: `vault:v1:${sealed.toString('base64')}`, key_version: 1 } } };
      }
      const bytes = Buffer.from(String(body.ciphertext).slice('vault:v1:'.length), 'base64');
      const opened = unseal(key, bytes, associated);
      if (opened === null) return { status: 400, body: { errors: ['cipher: message authentication failed'] } };
      return { status: 200, body: { data: { plaintext: opened.toString('base64') } } };
    },
    (status) => ({ errors: status === 403 ? ['permission denied'] : ['Vault is sealed'] }),
  );
}
