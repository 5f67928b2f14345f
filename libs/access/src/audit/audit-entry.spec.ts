import fc from 'fast-check';
import { GENESIS, hashOf, type AuditEntry } from './audit-entry.js';

const ENTRY: AuditEntry = {
  organizationId: '01a1fb00-0000-7000-8000-000000000001',
  sequence: 1,
  projectId: null,
  at: new Date('2026-01-01T00:00:00.000Z'),
  actor: 'Ada',
  action: 'project.created',
  subject: '01a1fb00-0000-7000-8000-000000000002',
  details: { name: 'Shop', mode: 'live' },
};

describe('the hash of an audit entry', () => {
  it('does not depend on the order of the details', () => {
    const pairs = fc.uniqueArray(fc.tuple(fc.string(), fc.option(fc.string())), { selector: ([key]) => key });
    fc.assert(
      fc.property(pairs, (details) => {
        const [a, b] = [details, details.toReversed()].map((entries) => Object.fromEntries(entries));
        expect(hashOf(GENESIS, { ...ENTRY, details: a ?? {} })).toEqual(
          hashOf(GENESIS, { ...ENTRY, details: b ?? {} }),
        );
      }),
    );
  });

  it.each<Partial<AuditEntry>>([
    { organizationId: '01a1fb00-0000-7000-8000-000000000009' },
    { sequence: 2 },
    { projectId: '01a1fb00-0000-7000-8000-000000000003' },
    { at: new Date('2026-01-01T00:00:00.001Z') },
    { actor: 'Bob' },
    { action: 'project.deleted' },
    { subject: '01a1fb00-0000-7000-8000-000000000004' },
    { details: { name: 'Shop', mode: 'test' } },
    { details: { name: 'Shop' } },
    { details: { name: 'Shop', mode: 'live', more: null } },
  ])('changes when these fields of the entry change: %j', (change) => {
    expect(hashOf(GENESIS, { ...ENTRY, ...change })).not.toEqual(hashOf(GENESIS, ENTRY));
  });

  it('depends on the entry before it', () => {
    expect(hashOf(Buffer.alloc(32, 1), ENTRY)).not.toEqual(hashOf(GENESIS, ENTRY));
  });

  it('changes when text moves from one field to the next', () => {
    const moved = { ...ENTRY, actor: 'Ada","project', action: '.created' };
    expect(hashOf(GENESIS, moved)).not.toEqual(hashOf(GENESIS, ENTRY));
  });
});
