import fc from 'fast-check';
import { loadReadingCalls, type ReadingCalls } from './documented-forms.js';
import { compareForm } from './json-form.js';
import { Redactor } from './redact.js';
import { dayOf, StandIns } from './stand-ins.js';

const NOTHING_KNOWN = { texts: new Set<string>() };

/** Makes a body of the documented form in which every free text and number is the next one of the given values. */
function bodyOf({ form, values }: ReadingCalls['calls'][string], secrets: readonly string[]): unknown {
  let next = 0;
  const at = (path: string): unknown => {
    const kind = form[path]?.replace('?', '').split('|').at(-1);
    if (kind === 'object') return membersOf(path);
    if (kind === 'list') return Object.hasOwn(form, `${path}[]`) ? [at(`${path}[]`)] : [];
    if (values[path] !== undefined) return values[path][0];
    return kind === 'text' ? secrets[next++ % secrets.length] : null;
  };
  const membersOf = (path: string): object => {
    const prefix = path === '' ? '' : `${path}.`;
    const names = Object.keys(form).flatMap((known) => {
      const rest = known.startsWith(prefix) && known !== '' ? known.slice(prefix.length) : '';
      return rest === '' || /\.|\[\]/.test(rest) ? [] : [rest];
    });
    return Object.fromEntries(names.map((name) => [name === '{}' ? secrets[0] : name, at(prefix + name)]));
  };
  return at('');
}

/** Long enough that its stand-in cannot be the same by chance. */
const secret = fc.oneof(
  fc.emailAddress(),
  fc.uuid(),
  fc.stringMatching(/^[0-9a-f]{64}$/),
  fc.stringMatching(/^0x[0-9a-fA-F]{40}$/),
  fc.stringMatching(/^[A-Z][a-zü]{7,12} [A-Z][a-zé]{7,12}$/),
  fc.stringMatching(/^[1-9][0-9]{9,11}\.[0-9]{8}$/),
);

describe('a redacted response', () => {
  it.each(['kraken', 'coinbase', 'bitstamp', 'gemini', 'binance', 'okx', 'bybit', 'kucoin', 'gate', 'bitget'])(
    'contains no personal value of a response of %s, and has its form',
    async (exchange) => {
      const readings = await loadReadingCalls(exchange);
      fc.assert(
        fc.property(fc.uniqueArray(secret, { minLength: 3, maxLength: 8 }), (secrets) => {
          const redactor = new Redactor({ ...NOTHING_KNOWN, readings });
          for (const [route, call] of Object.entries(readings.calls)) {
            const body = bodyOf(call, secrets);
            const redacted = redactor.body(JSON.stringify(body), route);
            for (const text of secrets) expect(redacted).not.toContain(JSON.stringify(text).slice(1, -1));
            expect(compareForm(JSON.parse(redacted), call.form, call.values)).toEqual(
              compareForm(body, call.form, call.values),
            );
          }
        }),
        { numRuns: 10 },
      );
    },
  );

  it('keeps documented statuses, names of assets, booleans and zero, and replaces a status that is not documented', async () => {
    const readings = await loadReadingCalls('bybit');
    const route = 'GET /v5/asset/withdraw/query-record';
    const redactor = new Redactor({ ...NOTHING_KNOWN, readings });
    const rows = [
      { coin: 'USDT', status: 'success', amount: '0', withdrawFee: '0.00', toAddress: '' },
      { status: 'Frozen' },
    ];
    const { result } = JSON.parse(redactor.body(JSON.stringify({ retCode: 0, result: { rows } }), route)) as {
      result: { rows: Record<string, string>[] };
    };
    expect(result.rows[0]).toEqual(rows[0]);
    expect(result.rows[1]?.['status']).toMatch(/^[A-Z][a-z]{5}$/);
    expect(result.rows[1]?.['status']).not.toBe('Frozen');
  });

  it('of a body that names a member twice is a redacted response, too', async () => {
    const redactor = new Redactor({ ...NOTHING_KNOWN, readings: await loadReadingCalls('kraken') });
    expect(JSON.parse(redactor.body('{"result": {"a": 12, "a": 34}}', 'POST /0/private/Balance'))).toEqual({
      result: expect.any(Object) as object,
    });
  });

  it('keeps every digit of the form of a number that a double would change', async () => {
    const readings = await loadReadingCalls('kraken');
    const redactor = new Redactor({ ...NOTHING_KNOWN, readings });
    const body = redactor.body(
      '{"result":{"x":12345678901234567890.123456789,"y":-7.50}}',
      'POST /0/private/BalanceEx',
    );
    expect(body).toMatch(/:[1-9]\d{19}\.\d{9},/);
    expect(body).toMatch(/:-\d\.\d\d\}/);
  });
});

describe('stand-ins', () => {
  it('give the same value the same stand-in, of the same length and kinds of characters', () => {
    const standIns = new StandIns();
    fc.assert(
      fc.property(secret, (text) => {
        const stand = standIns.of(text);
        expect(standIns.of(text)).toBe(stand);
        expect([...stand]).toHaveLength([...text].length);
        expect(stand.replace(/[A-Z]/g, 'A').replace(/[a-z]/g, 'a').replace(/\d/g, '0')).toBe(
          text
            .replace(/\p{Lu}/gu, 'A')
            .replace(/\p{Ll}/gu, 'a')
            .replace(/\d/g, '0'),
        );
      }),
    );
  });

  it('keep the form of amounts, and their order where all have the same decimals', () => {
    const amount = fc
      .tuple(fc.nat(99_999_999), fc.nat(99_999_999))
      .map(([a, b]) => `${a}.${String(b).padStart(8, '0')}`);
    fc.assert(
      fc.property(fc.uniqueArray(amount, { maxLength: 20 }), (amounts) => {
        const standIns = new StandIns();
        standIns.learn(amounts);
        const sorted = [...amounts].sort((one, other) => Number(one) - Number(other));
        const stands = sorted.map((text) => standIns.ofNumber(text));
        expect(stands.map(({ length }) => length)).toEqual(sorted.map(({ length }) => length));
        expect([...stands].sort((one, other) => Number(one) - Number(other))).toEqual(stands);
      }),
    );
  });

  it.each([
    ['2026-11-20T13:45:10.123Z', '2026-11-20T00:00:00.000Z'],
    ['2026-11-20 13:45:10', '2026-11-20 00:00:00'],
    ['1795182310', '1795132800'],
    ['1795182310.1787', '1795132800.0000'],
    ['1795182310123', '1795132800000'],
    ['123.45', null],
  ])('show of the time %s only the day', (text, day) => {
    expect(dayOf(text)).toBe(day);
  });
});
