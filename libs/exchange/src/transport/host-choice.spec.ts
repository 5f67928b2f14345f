import { HostChoice } from './host-choice.js';
import { NoResponse } from './transport.js';

const [USUAL, OTHER] = ['https://openapi.okx.com', 'https://www.okx.com'];
const SERVES = { status: 200, body: '{"code":"0","msg":"","data":[{"ts":"1597026383085"}]}' };
const BLOCKED = { status: 403, body: '<html>' };
const PAGE = { status: 200, body: '<html>welcome</html>' };
type Answer = typeof SERVES | null;

/** The hosts answer the probe as given; null = they do not respond. */
function choiceOf(answers: Record<string, Answer>) {
  const state = { nowMs: 0, probes: [] as string[], others: 0 };
  const choice = new HostChoice([{ usual: USUAL, other: OTHER, probe: '/api/v5/public/time' }], {
    get: (url) => {
      state.probes.push(url);
      const answer = answers[new URL(url).origin];
      return answer ? Promise.resolve(answer) : Promise.reject(new NoResponse('connection refused', false));
    },
    nowMs: () => state.nowMs,
    onOther: () => (state.others += 1),
  });
  return { choice, state, answers };
}

describe('the choice of a host', () => {
  it.each<[what: string, usual: Answer, other: Answer, chosen: string]>([
    ['both serve', SERVES, SERVES, USUAL],
    ['only the usual host serves', SERVES, null, USUAL],
    ['the usual host does not respond', null, SERVES, OTHER],
    ['the usual host responds with a block', BLOCKED, SERVES, OTHER],
    ['the usual host responds with a page', PAGE, SERVES, OTHER],
    ['neither serves', null, BLOCKED, USUAL],
  ])('when %s', async (_what, usual, other, chosen) => {
    const { choice, state } = choiceOf({ [USUAL]: usual, [OTHER]: other });
    expect(await choice.at(`${USUAL}/api/v5/asset/balances?ccy=BTC`)).toBe(`${chosen}/api/v5/asset/balances?ccy=BTC`);
    expect(await choice.at(USUAL)).toBe(chosen);
    expect(state.others).toBe(chosen === OTHER ? 1 : 0);
  });

  it('is made once for all requests of a process, also when the chosen host fails later', async () => {
    const { choice, state, answers } = choiceOf({ [USUAL]: null, [OTHER]: SERVES });
    const urls = await Promise.all([choice.at(`${USUAL}/a`), choice.at(`${USUAL}/b`)]);
    Object.assign(answers, { [USUAL]: SERVES, [OTHER]: null });
    state.nowMs = 86_400_000;
    expect([...urls, await choice.at(`${USUAL}/c`)]).toEqual([`${OTHER}/a`, `${OTHER}/b`, `${OTHER}/c`]);
    expect(state.probes).toEqual([`${USUAL}/api/v5/public/time`, `${OTHER}/api/v5/public/time`]);
  });

  it('is tried again after a minute if no host has responded', async () => {
    const { choice, state, answers } = choiceOf({ [USUAL]: null, [OTHER]: null });
    expect(await choice.at(`${USUAL}/a`)).toBe(`${USUAL}/a`);
    Object.assign(answers, { [OTHER]: SERVES });
    state.nowMs = 59_999;
    expect(await choice.at(`${USUAL}/b`)).toBe(`${USUAL}/b`);
    state.nowMs = 60_000;
    expect(await choice.at(`${USUAL}/c`)).toBe(`${OTHER}/c`);
    expect(state.probes).toHaveLength(4);
  });

  it.each(['https://eea.okx.com/api', 'https://openapi.okx.com.example/api', 'http://127.0.0.1:80/'])(
    'concerns no other address (%s)',
    async (url) => {
      const { choice, state } = choiceOf({ [USUAL]: null, [OTHER]: SERVES });
      expect(await choice.at(url)).toBe(url);
      expect(state.probes).toEqual([]);
    },
  );
});
