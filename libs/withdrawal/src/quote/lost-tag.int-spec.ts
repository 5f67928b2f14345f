import fc from 'fast-check';
import { Amount } from '#money';
import { DomainError } from '#platform/errors';
import { Vault } from '#platform/crypto';
import { connectedWallet } from '#wallet/testing';
import { ADDRESS, network, WithdrawalHarness } from '../testing/index.js';
import { CreateQuote } from './create-quote.js';
import type { QuoteRequest } from './quote-checks.js';
import type { Quote } from './quote.entity.js';

const [RECEIVER, OTHER] = ['rEb8TK3gBgk5auZkwc6sHnwrGVJH8DuaLh', 'rPEPPER7kfTD9w2To4CQk6UCfuHM9c6GDY'];
/** docs.ton.org, "Smart contract addresses": the forms of one account, raw, bounceable and not bounceable. */
const RAW = '0:ca6e321c7cce9ecedf0a8ca2492ec8592494aa5fb5ce0387dff96ef6af982a3e';
const BOUNCEABLE = 'EQDKbjIcfM6ezt8KjKJJLshZJJSqX7XOA4ff-W72r5gqPrHF';
const NOT_BOUNCEABLE = 'UQDKbjIcfM6ezt8KjKJJLshZJJSqX7XOA4ff-W72r5gqPuwA';

describe('a tag or `tag: null` for an address that was used with a tag', () => {
  let harness: WithdrawalHarness;
  beforeAll(async () => {
    harness = await WithdrawalHarness.create();
    harness.exchange.networks.push(
      network('BTC', 'ripple', '^r.{24,34}$', 'destinationTag'),
      network('BTC', 'stellar', '^r.{24,34}$', 'memo'),
      network('BTC', 'ton', '^(0:[0-9a-fA-F]{64}|[EU]Q.{46})$', 'memo'),
    );
    harness.exchange.balance = Amount.of('100000');
  });
  afterAll(() => harness.close());
  beforeEach(() => harness.newWallet());

  const create = (values: Partial<QuoteRequest> = {}): Promise<Quote> => {
    harness.clock.advance(1_000);
    return harness.get(CreateQuote).execute(harness.project, harness.wallet.externalId, {
      asset: 'BTC',
      network: 'ripple',
      address: RECEIVER,
      tag: undefined,
      amount: Amount.of('0.01'),
      includeFee: false,
      ...values,
    });
  };
  /** Number of payments so far. It gives each payment another amount. */
  let payments = 0;
  const unique = (): Amount => Amount.of(`0.${String(10_000_000 + ++payments)}`);

  /** Deletes the wallet and connects it again under the same id of the caller, as another row. */
  async function connectAgain(): Promise<void> {
    const { externalId: externalWalletId } = harness.wallet;
    await harness.db.query(`update wallets set deleted_at = $2 where id = $1`, [
      harness.wallet.id,
      harness.clock.now(),
    ]);
    const options = { externalWalletId, vault: harness.get(Vault), createdAt: harness.clock.now() };
    harness.wallet = await connectedWallet(harness.db, harness.project, options);
  }

  const LOST = { code: 'GENERIC_VALIDATION_ERROR', details: { result: { fields: [{ field: 'tag' }] } } };

  it('is required in a new quote when an execution contained the tag', async () => {
    await harness.execute(await create(), { tag: '777' });
    await expect(create()).rejects.toMatchObject(LOST);
    expect((await create({ tag: '8' })).tag).toBe('8');
    expect((await create({ tag: null })).tag).toBeNull();
  });

  it.each([
    ['a quote', () => create({ tag: '777' })],
    ['an execution', async () => harness.execute(await create(), { tag: '777' })],
  ])('is still required after the wallet was connected again, when %s contained the tag', async (_what, use) => {
    await use();
    await connectAgain();
    await expect(create()).rejects.toMatchObject(LOST);
    await connectAgain();
    await expect(create()).rejects.toMatchObject(LOST);
  });

  it('is required only for the same wallet, network and address', async () => {
    await create({ tag: '777' });
    await create({ address: OTHER });
    await create({ network: 'stellar' });
    const { externalId: externalWalletId } = harness.wallet;
    await harness.newWallet({ inSameProject: true });
    await create();
    // Wallets of two projects may have the same id.
    await harness.newWallet({ externalWalletId });
    await create();
  });

  it.each([
    [RAW, RAW.toUpperCase()],
    [RAW, BOUNCEABLE],
    [BOUNCEABLE, NOT_BOUNCEABLE],
    [NOT_BOUNCEABLE, RAW],
  ])('is required for another form of the address of the same account: %s and %s', async (one, other) => {
    await create({ network: 'ton', address: one, tag: '777' });
    await expect(create({ network: 'ton', address: other })).rejects.toMatchObject(LOST);
  });

  it('is not required for an address that differs in the case of a letter, where the network distinguishes the case', async () => {
    // Base58 is case-sensitive, so this is another address. On Stellar, the checksum is not examined.
    await create({ network: 'stellar', tag: '777' });
    await create({ network: 'stellar', address: RECEIVER.replace('rE', 're') });
  });

  describe('after a quote without a tag was made', () => {
    it('is required in the execution and the dry run of that quote', async () => {
      const [older, another] = [await create(), await create({ amount: unique() })];
      await harness.execute(await create({ amount: unique() }), { tag: '777' });
      await expect(harness.execute(older)).rejects.toMatchObject(LOST);
      await expect(harness.execute(older, { dryRun: true })).rejects.toMatchObject(LOST);
      const answer = await harness.execute(older, { tag: '777' });
      expect(await harness.execute(older)).toEqual(answer);
      await harness.execute(another, { tag: null });
      expect((await harness.withdrawalOf(another)).tag).toBeNull();
    });

    it('is not required if that quote was made with `tag: null`', async () => {
      const older = await create({ tag: null });
      await create({ tag: '777', amount: unique() });
      await harness.execute(older);
      expect((await harness.withdrawalOf(older)).tag).toBeNull();
    });

    it('is not required at a repeat of an execution from before the tag was used', async () => {
      const older = await create();
      const answer = await harness.execute(older);
      await create({ tag: '777', amount: unique() });
      expect(await harness.execute(older)).toEqual(answer);
    });

    it('is not required on a network without tags', async () => {
      await create({ tag: '777' });
      await harness.execute(await create({ network: 'bitcoin', address: ADDRESS }));
    });
  });

  type Tag = string | null | undefined;
  const tag = fc.constantFrom<Tag[]>(undefined, null, '777', '8');
  const step = fc.oneof(
    {
      weight: 4,
      arbitrary: fc.record({ act: fc.constant('quote' as const), address: fc.constantFrom(RECEIVER, OTHER), tag }),
    },
    { weight: 4, arbitrary: fc.record({ act: fc.constant('execute' as const), which: fc.nat({ max: 9 }), tag }) },
    { weight: 1, arbitrary: fc.record({ act: fc.constant('connect' as const) }) },
  );

  async function isRefused(work: () => Promise<unknown>): Promise<boolean> {
    try {
      await work();
      return false;
    } catch (error) {
      if (!(error instanceof DomainError) || error.code !== 'GENERIC_VALIDATION_ERROR') throw error;
      return true;
    }
  }

  /** The open quotes of the wallet, and the addresses that a tag was used with. */
  interface Known {
    open: { quote: Quote; isTagOpen: boolean }[];
    used: Set<string>;
  }

  async function quoteOnce({ open, used }: Known, address: string, given: Tag): Promise<void> {
    const wasUsed = used.has(address);
    const refused = await isRefused(async () => {
      const quote = await create({ address, tag: given, amount: unique() });
      open.push({ quote, isTagOpen: given === undefined });
      if (quote.tag !== null) used.add(address);
    });
    expect(refused).toBe(given === undefined && wasUsed);
  }

  async function executeOnce({ open, used }: Known, which: number, given: Tag): Promise<void> {
    const [chosen] = open.splice(which % Math.max(1, open.length), 1);
    if (chosen === undefined) return;
    const { quote, isTagOpen } = chosen;
    const differs = given !== undefined && quote.tag !== null && given !== quote.tag;
    const isLost = given === undefined && isTagOpen && used.has(quote.address);
    const refused = await isRefused(() => harness.execute(quote, { tag: given }));
    expect(refused).toBe(differs || isLost);
    if (refused) return;
    expect((await harness.withdrawalOf(quote)).tag).toBe(quote.tag ?? given ?? null);
    if (given) used.add(quote.address);
  }

  it('is required exactly when the address was used with a tag, in any order of quotes, executions and new connections', async () => {
    const law = fc.asyncProperty(fc.array(step, { maxLength: 20, size: 'max' }), async (steps) => {
      await harness.newWallet();
      const known: Known = { open: [], used: new Set() };
      for (const one of steps) {
        if (one.act === 'quote') await quoteOnce(known, one.address, one.tag);
        else if (one.act === 'execute') await executeOnce(known, one.which, one.tag);
        else {
          await connectAgain();
          known.open = [];
        }
      }
    });
    await fc.assert(law, { numRuns: 30, endOnFailure: true });
  });
});
