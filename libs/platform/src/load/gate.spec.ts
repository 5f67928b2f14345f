import { Gate } from './gate.js';

describe('a gate', () => {
  const ask = (gate: Gate, log: string[], name: string): void =>
    gate.ask((isAdmitted) => log.push(`${name} ${isAdmitted ? 'in' : 'refused'}`));

  it('lets so many in, lets so many wait in their order, and refuses the others at once', () => {
    const gate = new Gate({ inside: 2, waiting: 2, waitMs: 100 });
    const log: string[] = [];
    for (const name of 'abcde') ask(gate, log, name);
    expect(log).toEqual(['a in', 'b in', 'e refused']);
    gate.leave();
    gate.leave();
    expect(log.slice(3)).toEqual(['c in', 'd in']);
  });

  it('lets nobody wait for longer than it says, and forgets who has waited in vain', async () => {
    const gate = new Gate({ inside: 1, waiting: 1, waitMs: 1 });
    const log: string[] = [];
    ask(gate, log, 'a');
    expect(await new Promise((resolve) => gate.ask(resolve))).toBe(false);
    gate.leave();
    ask(gate, log, 'c');
    expect(log).toEqual(['a in', 'c in']);
  });
});
