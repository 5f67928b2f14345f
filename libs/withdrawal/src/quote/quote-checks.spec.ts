import fc from 'fast-check';
import type { WithdrawalEstimate } from '#exchange';
import { Amount } from '#money';
import { DomainError } from '#platform/errors';
import {
  checkAddress,
  checkBalance,
  checkBounds,
  checkEstimate,
  checkInvoice,
  checkNoUri,
  checkPrecision,
  checkTag,
  chooseNetwork,
  requirementsOf,
  type QuoteRequest,
} from './quote-checks.js';
import { network } from '../testing/scripted-exchange.js';

const EVM = '^0x[0-9a-f]{40}$';
const ADDRESS = `0x${'ab'.repeat(20)}`;
const ethereum = network('USDT', 'ethereum', EVM, null);
const polygon = network('USDT', 'polygon', EVM, null);
const tron = network('USDT', 'tron', '^T[1-9A-HJ-NP-Za-km-z]{33}$', null);
const ripple = network('XRP', 'ripple', '^r.{24,34}$', 'destinationTag');

const request = (values: Partial<QuoteRequest> = {}): QuoteRequest => ({
  asset: 'USDT',
  network: undefined,
  address: ADDRESS,
  tag: undefined,
  amount: Amount.of('1'),
  includeFee: false,
  ...values,
});

function refusalOf(check: () => void): DomainError {
  try {
    check();
  } catch (error) {
    if (error instanceof DomainError) return error;
    throw error;
  }
  throw new Error('nothing was refused');
}

describe('the network of a quote', () => {
  it('is the only network whose address format fits', () => {
    expect(chooseNetwork(request(), [ethereum, tron])).toBe(ethereum);
  });

  it.each([
    ['several networks fit', [ethereum, tron, polygon], ['ethereum', 'polygon']],
    ['no network fits', [tron, ripple], ['tron', 'ripple']],
  ])('must be named when %s, and the error lists the possible networks', (_name, networks, possible) => {
    const refusal = refusalOf(() => chooseNetwork(request(), networks));
    expect(refusal.message).toMatch(/network is required/);
    expect(refusal.message).toContain(`use one of ${possible.join(', ')}`);
    expect(refusal.details.result).toMatchObject({ networks: possible });
  });

  it('is the only network for which the address matches both our rule and the exchange’s rule', () => {
    const loose = '^.{32,44}$';
    const tronOfExchange = { ...tron, exchangeAddressRegex: loose };
    const solana = { ...network('USDT', 'solana', '^[1-9A-HJ-NP-Za-km-z]{40,44}$', null), exchangeAddressRegex: loose };
    const toTron = request({ address: 'TQmdxSuC16EhFg8FZWtYgrfFRosoRF7bCp' });
    expect(chooseNetwork(toTron, [tronOfExchange, solana])).toBe(tronOfExchange);
    const closed = { ...polygon, exchangeAddressRegex: '^0xcd.*$' };
    expect(chooseNetwork(request(), [ethereum, closed])).toBe(ethereum);
  });

  it.each(['ethereum', 'Ethereum', 'ERC20'])('is found by the name %s', (name) => {
    expect(chooseNetwork(request({ network: name }), [polygon, ethereum])).toBe(ethereum);
  });

  it.each(['bitcoin', 'nowhere', '__proto__'])('is refused when the asset has no network %s', (name) => {
    expect(refusalOf(() => chooseNetwork(request({ network: name }), [ethereum]))).toMatchObject({
      code: 'WITHDRAWAL_NETWORK_NOT_SUPPORTED',
      details: { result: { networks: ['ethereum'] } },
    });
  });
});

describe('the tag of a quote', () => {
  it('is refused where addresses have no tags', () => {
    expect(() => checkTag(request({ tag: '1' }), ethereum, null)).toThrow(/have no tag/);
  });

  it('must be a number on a network with destination tags', () => {
    for (const tag of ['abc', '4294967296', '9999999999', '12345678901']) {
      expect(() => checkTag(request({ tag }), ripple, null)).toThrow(/destination tag/);
    }
    for (const tag of ['4294967295', '10', '0']) {
      expect(() => checkTag(request({ tag }), ripple, null)).not.toThrow();
    }
  });

  it('must have no leading zeros on a network with destination tags, so that equal withdrawals have equal tags', () => {
    for (const tag of ['012345', '00', '0000000001']) {
      expect(() => checkTag(request({ tag }), ripple, null)).toThrow(/without leading zeros/);
    }
  });

  it('must not be left out when an earlier quote to the address had a tag', () => {
    expect(() => checkTag(request(), ripple, '42')).toThrow(/tag is missing/);
    expect(() => checkTag(request({ tag: null }), ripple, '42')).not.toThrow();
    expect(() => checkTag(request({ tag: '7' }), ripple, '42')).not.toThrow();
  });
});

describe('the memo of a quote', () => {
  it('has at most as many bytes as the chain allows, and the error names the field', () => {
    const stellar = network('XLM', 'stellar', '^G[A-Z2-7]{55}$', 'memo');
    expect(() => checkTag(request({ tag: 'a'.repeat(28) }), stellar, null)).not.toThrow();
    const refusal = refusalOf(() => checkTag(request({ tag: 'a'.repeat(29) }), stellar, null));
    expect(refusal.details.result).toMatchObject({ fields: [{ field: 'tag' }] });
    expect(refusal.message).toContain('28 bytes');
  });
});

describe('a payment URI', () => {
  it.each(['bitcoin:bc1q', 'LIGHTNING:LNBC1', 'ethereum:0xab@1', 'bc1q?amount=1', 'bitcoincash:qp?amount=1'])(
    'is refused as an address: %s',
    (address) => {
      expect(refusalOf(() => checkNoUri({ address })).details.result).toEqual({ reason: 'address_is_uri' });
    },
  );

  it.each(['bitcoincash:qpm2q', 'BITCOINCASH:QPM2Q', `0:${'ab'.repeat(32)}`, `-1:${'ab'.repeat(32)}`, 'bc1q'])(
    'is not what an address with a colon is: %s',
    (address) => expect(() => checkNoUri({ address })).not.toThrow(),
  );
});

describe('the amount of a quote', () => {
  it('is refused, and not rounded, when it has more digits than the network accepts', () => {
    expect(() => checkPrecision(request({ amount: Amount.of('0.000000001') }), ethereum)).toThrow(/8 digits/);
    expect(() => checkPrecision(request({ amount: Amount.of('0.00000001') }), ethereum)).not.toThrow();
  });

  it('is accepted from the minimum to the maximum of the network, both included', () => {
    const bounds = { minWithdrawal: Amount.of('1'), maxWithdrawal: Amount.of('2') };
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 400 }), (cents) => {
        const amount = Amount.of(`${cents / 100}`);
        const check = () => checkBounds('USDT', amount, bounds);
        if (cents < 100) expect(check).toThrow(/minimum/);
        else if (cents > 200) expect(check).toThrow(/maximum/);
        else expect(check).not.toThrow();
      }),
      { examples: [[99], [100], [200], [201]] },
    );
  });

  it('is compared with the balance first without and then with the fee; the error names balances in other accounts', () => {
    const holds = (free: string) => [
      { asset: 'USDT', free: Amount.of(free), used: Amount.zero, total: Amount.of(free) },
    ];
    const estimate = {
      amountNoFee: Amount.of('1'),
      fee: Amount.of('0.1'),
      amountWithFee: Amount.of('1.1'),
      feeDetails: [],
      minWithdrawal: null,
      maxWithdrawal: null,
      requirements: [],
      expiresAt: null,
    };
    const check = (free: string) => () => checkBalance(request(), estimate, holds(free));
    expect(refusalOf(check('0.99')).code).toBe('WITHDRAWAL_INSUFFICIENT_BALANCE');
    expect(refusalOf(check('1.09')).code).toBe('WITHDRAWAL_INSUFFICIENT_BALANCE_FOR_FEE');
    expect(check('1.1')).not.toThrow();
    expect(() => checkBalance(request(), estimate, [])).toThrow(/free balance/);
    const split = (withdrawable: string) => () =>
      checkBalance(request(), estimate, [
        {
          asset: 'USDT',
          free: Amount.of('5'),
          used: Amount.zero,
          total: Amount.of('5'),
          withdrawable: Amount.of(withdrawable),
          elsewhere: [{ account: 'trading', kind: 'free' as const, amount: Amount.of('4.5') }],
        },
      ]);
    const refusal = refusalOf(split('0.5'));
    expect(refusal.code).toBe('WITHDRAWAL_INSUFFICIENT_BALANCE');
    expect(refusal.message).toContain('4.5 USDT (trading)');
    expect(refusal.details).toEqual({
      result: { free: '0.5', elsewhere: [{ account: 'trading', kind: 'free', amount: '4.5' }] },
    });
    expect(refusalOf(split('1')).code).toBe('WITHDRAWAL_INSUFFICIENT_BALANCE_FOR_FEE');
    expect(split('1.1')).not.toThrow();
    const partial = holds('5').map((each) => ({ ...each, isPartial: true as const }));
    expect(refusalOf(() => checkBalance(request(), estimate, partial)).code).toBe('WITHDRAWAL_PROVIDER_ERROR');
  });
});

describe('the estimate of the exchange', () => {
  const estimate = (amountNoFee: Amount, fee: Amount, amountWithFee: Amount): WithdrawalEstimate => ({
    amountNoFee,
    fee,
    amountWithFee,
    feeDetails: [],
    minWithdrawal: null,
    maxWithdrawal: null,
    requirements: [],
    expiresAt: null,
  });
  const satoshis = (least: number) =>
    fc.integer({ min: least, max: 2_000_000_000 }).map((count) => Amount.of(`${count}e-8`));

  it('is accepted when the debit is the arriving amount plus the fee, and the requested amount is the debit or what arrives', () => {
    fc.assert(
      fc.property(satoshis(1), satoshis(0), fc.boolean(), (arrives, fee, includeFee) => {
        const debited = arrives.plus(fee);
        const asked = request({ amount: includeFee ? debited : arrives, includeFee });
        expect(() => checkEstimate(asked, estimate(arrives, fee, debited))).not.toThrow();
      }),
    );
  });

  it('is refused when its figures are off by the smallest step, even if they still add up', () => {
    const steps = fc.tuple(...[1, 2, 3].map(() => fc.integer({ min: -1, max: 1 })));
    fc.assert(
      fc.property(satoshis(2), satoshis(1), fc.boolean(), steps, (arrives, fee, includeFee, [a = 0, b = 0, c = 0]) => {
        // Leaves out estimates that add up for the requested amount, because they are right at any fee.
        fc.pre(a + b !== c || (includeFee ? c : a) !== 0);
        const debited = arrives.plus(fee);
        const asked = request({ amount: includeFee ? debited : arrives, includeFee });
        const off = (figure: Amount, count: number): Amount => figure.plus(Amount.of(`${count}e-8`));
        const wrong = estimate(off(arrives, a), off(fee, b), off(debited, c));
        expect(() => checkEstimate(asked, wrong)).toThrow(/not for the requested amount/);
      }),
    );
  });

  it('is refused when its fee is negative, although its figures add up', () => {
    const [more, less, fee] = [Amount.of('1.1'), Amount.of('1'), Amount.of('-0.1')];
    for (const [includeFee, amount] of [
      [false, more],
      [true, less],
    ] as const) {
      const asked = request({ amount, includeFee });
      expect(() => checkEstimate(asked, estimate(more, fee, less))).toThrow(/not for the requested amount/);
    }
  });

  it('is refused when nothing would arrive', () => {
    const asked = request({ amount: Amount.of('1'), includeFee: true });
    const nothing = estimate(Amount.zero, Amount.of('1'), Amount.of('1'));
    expect(refusalOf(() => checkEstimate(asked, nothing)).code).toBe('WITHDRAWAL_AMOUNT_BELOW_MINIMUM');
  });

  it('leads to exactly one tag requirement when the network has tags and the request leaves the tag out', () => {
    const plain = estimate(Amount.of('1'), Amount.zero, Amount.of('1'));
    const tagged = { ...plain, requirements: [{ type: 'tag' as const, detail: 'saved with a tag' }] };
    expect(requirementsOf(request(), ripple, plain).map(({ type }) => type)).toEqual(['tag']);
    expect(requirementsOf(request(), ripple, tagged)).toEqual(tagged.requirements);
    expect(requirementsOf(request({ tag: null }), ripple, plain)).toEqual([]);
    expect(requirementsOf(request(), ethereum, plain)).toEqual([]);
  });
});

describe('a Lightning invoice', () => {
  const lightning = network('BTC', 'lightning', '^lnbc.+$', null);
  // An invoice without an amount, and the example of BOLT 11 for 2500 micro-bitcoin.
  const OPEN =
    'lnbc1p54twgqsp5hf3edp5fugdv6slnztm3dsrk2qnhgvejntqlptd93es6yjgfrr6spp5ldkt2ltkk2ngq6h87jcslfzu77vh4fnaqswq3k54clqsvh2nq9dqdqz0q9qrsgqwwxr2lxxt69ccjnyrxg4jfzmd3wqq4psr2ls0pkyc9f2a0qey5rq693h379z4cwdl75sjqqr4plupx9zk2dknt665982f0g08zsce2sp25x8p6';
  const INVOICE =
    'lnbc2500u1pvjluezpp5qqqsyqcyq5rqwzqfqqqsyqcyq5rqwzqfqqqsyqcyq5rqwzqfqypqdq5xysxxatsyp3k7enxv4jsxqzpuaztrnwngzn3kdzw5hydlzf03qdgm2hdq27cqv3agm2awhz5se903vruatfhq77w3ls4evs3ch9zw97j25emudupq63nyw24cg27h2rspfj9srp';
  // The example of BOLT 11 for 967878534 millisatoshi.
  const MILLISATOSHI =
    'lnbc9678785340p1pwmna7lpp5gc3xfm08u9qy06djf8dfflhugl6p7lgza6dsjxq454gxhj9t7a0sd8dgfkx7cmtwd68yetpd5s9xar0wfjn5gpc8qhrsdfq24f5ggrxdaezqsnvda3kkum5wfjkzmfqf3jkgem9wgsyuctwdus9xgrcyqcjcgpzgfskx6eqf9hzqnteypzxz7fzypfhg6trddjhygrcyqezcgpzfysywmm5ypxxjemgw3hxjmn8yptk7untd9hxwg3q2d6xjcmtv4ezq7pqxgsxzmnyyqcjqmt0wfjjq6t5v4khxsp5zyg3zyg3zyg3zyg3zyg3zyg3zyg3zyg3zyg3zyg3zyg3zyg3zygsxqyjw5qcqp2rzjq0gxwkzc8w6323m55m4jyxcjwmy7stt9hwkwe2qxmy8zpsgg7jcuwz87fcqqeuqqqyqqqqlgqqqqn3qq9q9qrsgqrvgkpnmps664wgkp43l22qsgdw4ve24aca4nymnxddlnp8vh9v2sdxlu5ywdxefsfvm0fq3sesf08uf6q9a2ke0hc9j6z6wlxg5z5kqpu2v9wz';
  const check = (amount: string) => () =>
    checkInvoice(request({ asset: 'BTC', address: INVOICE }), lightning, { amountNoFee: Amount.of(amount) });

  it('must state an amount', () => {
    const refusal = refusalOf(() => checkAddress(request({ asset: 'BTC', address: OPEN }), lightning));
    expect(refusal).toMatchObject({
      code: 'WITHDRAWAL_INVALID_ADDRESS',
      details: { result: { reason: 'invoice_without_amount' } },
    });
    expect(() => checkAddress(request({ asset: 'BTC', address: INVOICE }), lightning)).not.toThrow();
  });

  it('must state a whole number of satoshi', () => {
    const refusal = refusalOf(() => checkAddress(request({ asset: 'BTC', address: MILLISATOSHI }), lightning));
    expect(refusal).toMatchObject({
      code: 'WITHDRAWAL_INVALID_ADDRESS',
      details: { result: { reason: 'invoice_amount' } },
    });
    expect(refusal.message).toContain('for the amount 0.00967878534 BTC');
    expect(refusal.message).toContain('ask the receiver for an invoice that states a whole number of satoshi');
  });

  it('may state as many decimals as the exchange pays, and none more', () => {
    const invoice = request({ asset: 'BTC', address: MILLISATOSHI });
    expect(() => checkAddress(invoice, { ...lightning, decimals: 11 })).not.toThrow();
    expect(refusalOf(() => checkAddress(invoice, { ...lightning, decimals: 10 }))).toMatchObject({
      details: { result: { reason: 'invoice_amount' } },
    });
  });

  it('must state exactly the amount that arrives; the error names both amounts', () => {
    expect(check('0.0025')).not.toThrow();
    for (const amount of ['0.00250001', '0.00249999', '0.25', '2500', '25']) {
      const refusal = refusalOf(check(amount));
      expect(refusal).toMatchObject({
        code: 'WITHDRAWAL_INVALID_ADDRESS',
        details: { result: { reason: 'invoice_amount' } },
      });
      expect(refusal.message).toContain('for the amount 0.0025 BTC');
      expect(refusal.message).toContain(`would get ${amount} BTC`);
    }
  });

  it('is expected only on the network Lightning', () => {
    expect(() => checkInvoice(request(), ethereum, { amountNoFee: Amount.of('1') })).not.toThrow();
  });
});

describe('the address of a quote', () => {
  it('must match the address format of the network as a whole', () => {
    expect(() => checkAddress(request(), ethereum)).not.toThrow();
    for (const address of [`${ADDRESS} `, `x${ADDRESS}`, ADDRESS.slice(0, -1), `${ADDRESS}\n`, 'a'.repeat(10_000)]) {
      expect(() => checkAddress(request({ address }), ethereum)).toThrow(/address/);
    }
  });

  it.each([
    ['our rule', '^T.*$', '^.*$', 'address_format'],
    ['the exchange’s rule', EVM, '^0xcd.*$', 'address_form_refused'],
  ])(
    'must match both rules, and is refused when it does not match %s',
    (_which, addressRegex, exchangeAddressRegex, reason) => {
      const refusal = refusalOf(() => checkAddress(request(), { ...ethereum, addressRegex, exchangeAddressRegex }));
      expect(refusal).toMatchObject({ code: 'WITHDRAWAL_INVALID_ADDRESS', details: { result: { reason } } });
      expect(refusal.message).toMatch(/address.*network ethereum/);
    },
  );

  it('must have a valid checksum', () => {
    const check = (address: string) => (): void => checkAddress(request({ address }), tron);
    expect(check('TQmdxSuC16EhFg8FZWtYgrfFRosoRF7bCp')).not.toThrow();
    const refusal = refusalOf(check('TQmdxSuC16EhFg8FZWtYgrfFRosoRF7bCq'));
    expect(refusal).toMatchObject({
      code: 'WITHDRAWAL_INVALID_ADDRESS',
      details: { result: { reason: 'address_checksum' } },
    });
  });
});
