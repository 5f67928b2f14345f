import type { KMSClient } from '@aws-sdk/client-kms';
import { WrongKey, type KeyContext, type KeyProvider } from './key-provider.js';
import { RemoteCalls, TryAgain } from './remote-calls.js';

/**
 * Errors of KMS that another attempt may not have, besides statuses from 500 on.
 * https://docs.aws.amazon.com/kms/latest/APIReference/CommonErrors.html
 */
const TEMPORARY = ['ThrottlingException', 'RequestLimitExceeded', 'TooManyRequestsException', 'LimitExceededException'];
/** https://docs.aws.amazon.com/kms/latest/APIReference/API_Decrypt.html#API_Decrypt_Errors */
const WRONG_KEY = ['InvalidCiphertextException', 'IncorrectKeyException'];

/**
 * A symmetric key of AWS KMS. The tenant is in the encryption context, which key policies can require and CloudTrail
 * records. The credentials of AWS come from the usual places of its SDK, such as the role of the machine.
 */
export class AwsKmsKey implements KeyProvider {
  readonly source = 'aws-kms';
  readonly isRemote = true;
  private readonly calls: RemoteCalls;
  private client: KMSClient | null = null;

  /**
   * @param arn ARN of the key, which names its region.
   * @param endpoint null = the public endpoint of the region.
   */
  constructor(
    readonly id: string,
    private readonly arn: string,
    private readonly endpoint: string | null,
  ) {
    this.calls = new RemoteCalls(`the vault key ${id} at AWS KMS`);
  }

  async wrap(dataKey: Buffer, context: KeyContext): Promise<string> {
    const { EncryptCommand, client } = await this.open();
    const command = new EncryptCommand({ KeyId: this.arn, Plaintext: dataKey, EncryptionContext: this.of(context) });
    return this.calls.run(async (abortSignal) => {
      const { CiphertextBlob } = await judged(client.send(command, { abortSignal }));
      if (CiphertextBlob === undefined) throw new Error('the response has no CiphertextBlob');
      return Buffer.from(CiphertextBlob).toString('base64');
    });
  }

  async unwrap(wrapped: string, context: KeyContext): Promise<Buffer> {
    const { DecryptCommand, client } = await this.open();
    const command = new DecryptCommand({
      KeyId: this.arn,
      CiphertextBlob: Buffer.from(wrapped, 'base64'),
      EncryptionContext: this.of(context),
    });
    return this.calls.run(async (abortSignal) => {
      const { Plaintext } = await judged(client.send(command, { abortSignal }));
      if (Plaintext === undefined) throw new Error('the response has no Plaintext');
      return Buffer.from(Plaintext);
    });
  }

  private of({ organizationId, projectId }: KeyContext): Record<string, string> {
    return { purpose: 'causeway', key: this.id, organization: organizationId, project: projectId };
  }

  /** Only installations with such a key load the SDK. */
  private async open() {
    const { DecryptCommand, EncryptCommand, KMSClient } = await import('@aws-sdk/client-kms');
    const region = this.arn.split(':')[3];
    // RemoteCalls repeats failed attempts.
    const once = { region, maxAttempts: 1 };
    this.client ??= new KMSClient(this.endpoint === null ? once : { ...once, endpoint: this.endpoint });
    return { DecryptCommand, EncryptCommand, client: this.client };
  }
}

/** Converts the errors of the SDK into those that `RemoteCalls` distinguishes. */
async function judged<T>(sent: Promise<T>): Promise<T> {
  try {
    return await sent;
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    const { $metadata } = error as { $metadata?: { httpStatusCode?: number } };
    const status = $metadata?.httpStatusCode;
    if (WRONG_KEY.includes(error.name)) throw new WrongKey(error.name, { cause: error });
    // Without a status there was no response.
    if (status === undefined || status >= 500 || status === 429 || TEMPORARY.includes(error.name))
      throw new TryAgain(error.name, { cause: error });
    throw error;
  }
}
