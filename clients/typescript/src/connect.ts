import type { CallOptions, Input } from './call.js';
import type { Operations } from './generated/operations.js';
import { listen, type ListenOptions } from './listen.js';
import { openConnect, type ConnectLink, type ConnectOutcome, type OpenOptions } from './open-connect.js';
import type { Topic, TopicMessage } from './topic.js';
import type { Transport } from './transport.js';

/** The request for a link; the client makes the `idem` unless it is given. */
export type LinkInput = Omit<Input<'createConnectUrl'>, 'idem'> & { idem?: string; walletId?: string };

export class Connect {
  constructor(
    private readonly operations: Operations,
    private readonly transport: Transport,
  ) {}

  /** Requests a link for the owner of an account. Give it to `open`, here or in the page of the owner. */
  async link({ idem = crypto.randomUUID(), ...input }: LinkInput, options?: CallOptions): Promise<ConnectLink> {
    const { walletId = this.transport.options.walletId ?? '', exchange } = input;
    const { url, expiresAt } = await this.operations.createConnectUrl({ ...input, walletId, idem }, options);
    return { ...this.topic(idem), url, expiresAt, walletId, exchange };
  }

  /** Opens the link for the owner and waits for the outcome. */
  open(link: ConnectLink, options?: OpenOptions): Promise<ConnectOutcome> {
    return openConnect(link, options);
  }

  /** Yields the messages of a topic: of a connect (its `idem`) or of a withdrawal (the id of its quote). */
  listen(idem: string, options?: ListenOptions): AsyncGenerator<TopicMessage, void, undefined> {
    return listen(this.topic(idem), options);
  }

  private topic(idem: string): Topic {
    const { baseUrl, orgId } = this.transport.options;
    if (orgId === undefined) throw new TypeError('The option orgId is missing');
    return { baseUrl, orgId, idem };
  }
}
