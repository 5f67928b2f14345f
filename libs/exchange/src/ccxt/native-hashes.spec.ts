import { mock } from 'node:test';
import { loadCcxtClass } from './ccxt-class.js';
import { useNativeHashes, type Hashes } from './native-hashes.js';

/** The object identifier of a SHA-2 hash (RFC 8017, B.1). These identifiers differ only in their last number. */
const sha2 = (last: number) => ({ oid: Uint8Array.from([6, 9, 0x60, 0x86, 0x48, 1, 0x65, 3, 4, 2, last]) });
const library: Hashes = { hash: () => 'by the library', hmac: () => 'by the library' };
const native: Hashes = { ...library };
useNativeHashes(native);

describe('native hashes', () => {
  // The hashes of "abc", from https://csrc.nist.gov/projects/cryptographic-standards-and-guidelines/example-values.
  it.each([
    [1, 'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad'],
    [3, /^ddaf35a193617abacc417349ae204131.*54ca49f$/],
    [2, /^cb00753f45a35e8bb5a03d699ac65007.*c825a7$/],
  ])('equal the published SHA-2 hashes for the identifier that ends with %i', (last, expected) => {
    expect(native.hash('abc', sha2(last), 'hex')).toMatch(expected);
    expect(native.hash('abc', sha2(last))).toMatch(expected);
  });

  // The expected signature is that of RFC 4231, test case 2.
  it('sign as RFC 4231 documents, in every encoding', () => {
    const hex = '5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843';
    const sign = (digest?: 'binary' | 'hex' | 'base64'): unknown =>
      native.hmac('what do ya want for nothing?', 'Jefe', sha2(1), digest);
    expect(sign()).toBe(hex);
    expect(sign('base64')).toBe(Buffer.from(hex, 'hex').toString('base64'));
    expect(sign('binary')).toEqual(Uint8Array.from(Buffer.from(hex, 'hex')));
  });

  it('leave all other hashes to the library', () => {
    for (const other of [sha2(4), {}]) {
      expect(native.hash('abc', other)).toBe('by the library');
      expect(native.hmac('abc', 'key', other)).toBe('by the library');
    }
  });

  // The key and the signature are the example of https://docs.kraken.com/api/docs/guides/spot-rest-auth.
  it('compute the signature that Kraken documents, in an instance of the library', async () => {
    const kraken = await loadCcxtClass('kraken');
    const secret = 'kQH5HW/8p1uGOVjbgWA7FunAmGO8lsSUXNsu3eow76sz84Q18fWxnyRzBHCd3pd5nE9qa99HAZtuZuj6F1huXg==';
    const wire = { send: () => Promise.reject(new Error('nothing is sent')), nonce: () => 1616492376594 };
    const instance = kraken.prepare({}, wire).create({ apiKey: 'key', secret });
    const hash = mock.method<Hashes, 'hash'>(instance, 'hash');
    const hmac = mock.method<Hashes, 'hmac'>(instance, 'hmac');
    const order = { ordertype: 'limit', pair: 'XBTUSD', price: '37500', type: 'buy', volume: '1.25' };
    const { headers } = instance.sign('AddOrder', 'private', 'POST', order) as { headers: Record<string, string> };
    expect(headers['API-Sign']).toBe(
      '4/dpxb3iT4tp/ZCVEwSnEsLxx0bqyhLpdfOpc6fn7OR8+UClSV5n9E6aSS8MPtnRfp32bAb0nmbRn6H8ndwLUQ==',
    );
    const algorithms = [hash.mock.calls[0]?.arguments[1], hmac.mock.calls[0]?.arguments[2]];
    expect(algorithms.map((algorithm) => algorithm?.oid)).toEqual([sha2(1).oid, sha2(3).oid]);
    // The library's own functions would fail, because they need an algorithm's code and not only its identifier.
    expect(hash('abc', sha2(1))).toBe(native.hash('abc', sha2(1)));
    expect(hmac('abc', 'key', sha2(3))).toBe(native.hmac('abc', 'key', sha2(3)));
  });
});
