import { Gate, type Pass } from './gate.js';

const LIMITS = { inside: 2, admitted: 100, waiting: 2, waitMs: 100 };

describe('a gate', () => {
  const passes = new Map<string, Pass>();
  const ask = (gate: Gate, log: string[], name: string, caller: string | null = null): void =>
    gate.ask(caller, (pass) => {
      if (typeof pass !== 'string') passes.set(name, pass);
      log.push(`${name} ${typeof pass === 'string' ? pass : 'in'}`);
    });
  const end = (name: string): void => passes.get(name)?.end();
  const held = (): { work: () => Promise<void>; finish: () => void } => {
    let finish = (): void => undefined;
    const finished = new Promise<void>((resolve) => (finish = resolve));
    return { work: () => finished, finish };
  };

  it('admits requests up to its limit, lets others wait in order, and refuses the rest at once', () => {
    const gate = new Gate(LIMITS);
    const log: string[] = [];
    for (const name of 'abcde') ask(gate, log, name);
    expect(log).toEqual(['a in', 'b in', 'e none']);
    expect(gate.refusalOf(null)).toBe('none');
    end('a');
    end('a');
    end('b');
    expect(log.slice(3)).toEqual(['c in', 'd in']);
    expect(gate.refusalOf(null)).toBeNull();
  });

  it('lets no request wait longer than `waitMs`, and then frees the waiting place of the request', async () => {
    const gate = new Gate({ ...LIMITS, inside: 1, waiting: 1, waitMs: 1 });
    const log: string[] = [];
    ask(gate, log, 'a');
    expect(await new Promise((resolve) => gate.ask(null, resolve))).toBe('none');
    end('a');
    ask(gate, log, 'c');
    expect(log).toEqual(['a in', 'c in']);
    end('c');
  });

  it('refuses requests at once for some time after a request has waited and was not admitted', async () => {
    const gate = new Gate({ ...LIMITS, inside: 1, waiting: 10, waitMs: 20 });
    const log: string[] = [];
    ask(gate, log, 'a');
    expect(await new Promise((resolve) => gate.ask(null, resolve))).toBe('none');
    expect(gate.refusalOf(null)).toBe('none');
    end('a');
    expect(gate.refusalOf(null)).toBeNull();
  });

  it('gives one caller at most half of the places, and admits the caller with the fewest active requests first', () => {
    const gate = new Gate({ ...LIMITS, inside: 4, waiting: 4 });
    const log: string[] = [];
    for (const name of ['a1', 'a2', 'a3', 'a4', 'a5']) ask(gate, log, name, 'a');
    expect(log).toEqual(['a1 in', 'a2 in', 'a5 caller_has_all']);
    for (const name of ['b1', 'c1', 'c2', 'd1']) ask(gate, log, name, name.slice(0, 1));
    expect(log.slice(3)).toEqual(['b1 in', 'c1 in']);
    end('a1');
    expect(log.slice(5)).toEqual(['d1 in']);
  });

  it('frees the place of a request while it waits for an exchange, and lets it continue at once afterwards', async () => {
    const gate = new Gate({ ...LIMITS, inside: 1, waiting: 3 });
    const log: string[] = [];
    ask(gate, log, 'a');
    ask(gate, log, 'b');
    const [first, second] = [held(), held()];
    const waiting = [passes.get('a')?.outside(first.work), passes.get('a')?.outside(second.work)];
    expect(log).toEqual(['a in', 'b in']);
    first.finish();
    await waiting[0];
    ask(gate, log, 'c');
    end('b');
    expect(log.slice(2)).toEqual(['c in']);
    second.finish();
    await waiting[1];
    end('c');
    ask(gate, log, 'd');
    expect(log.slice(3)).toEqual([]);
    end('a');
    expect(log.slice(3)).toEqual(['d in']);
    end('d');
    expect(gate.refusalOf(null)).toBeNull();
  });

  it('counts active requests up to a limit for each caller, and no requests that wait for an exchange', () => {
    const gate = new Gate({ ...LIMITS, inside: 8 });
    const log: string[] = [];
    for (const name of ['a1', 'a2', 'a3', 'b1', 'c1']) ask(gate, log, name, name.slice(0, 1));
    expect([gate.busy(), gate.busy(1), gate.busy(2)]).toEqual([5, 3, 4]);
    void passes.get('a1')?.outside(held().work);
    expect([gate.busy(), gate.busy(1), gate.busy(2)]).toEqual([4, 3, 4]);
  });

  it('limits the requests that wait for an exchange', () => {
    const gate = new Gate({ ...LIMITS, inside: 1, admitted: 2, waiting: 0 });
    const log: string[] = [];
    for (const name of ['a', 'b', 'c']) {
      ask(gate, log, name);
      void passes.get(name)?.outside(held().work);
    }
    expect(log).toEqual(['a in', 'b in', 'c none']);
    end('a');
    ask(gate, log, 'd');
    expect(log.slice(3)).toEqual(['d in']);
  });
});
