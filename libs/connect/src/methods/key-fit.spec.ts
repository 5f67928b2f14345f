import { permissionMismatch } from './key-fit.js';

const spec = {
  permissionAccess: { balances: ['read'], withdraw: ['withdrawal'], place: ['trade'], cancel: ['trade'] },
} as const;

describe("the mismatch of a key's permissions", () => {
  it('is null for a key that can do exactly what is requested', () => {
    expect(permissionMismatch(spec, { permissions: ['balances', 'withdraw'] }, ['read', 'withdrawal'])).toBeNull();
    expect(permissionMismatch(spec, { permissions: ['balances'] }, ['read'])).toBeNull();
  });

  it.each([
    [['read', 'withdrawal'], ['nonce_window']],
    [['read', 'trade'], ['nonce_window']],
    [['read', 'deposit'], undefined],
  ] as const)('names unsafe settings for access that submits something (%s)', (wanted, unsafeSettings) => {
    const mismatch = permissionMismatch(spec, { permissions: [], unsafeSettings: ['nonce_window'] }, wanted);
    expect(mismatch?.unsafeSettings).toEqual(unsafeSettings);
    expect(mismatch?.tooLittle ?? []).toEqual([]);
  });

  it('is null where the exchange does not report permissions', () => {
    expect(permissionMismatch(spec, { permissions: [] }, ['read', 'withdrawal'])).toBeNull();
  });

  it('names each kind of surplus and of missing access once', () => {
    expect(permissionMismatch(spec, { permissions: ['place', 'cancel', 'balances'] }, ['read', 'withdrawal'])).toEqual({
      tooMuch: ['trade'],
      tooLittle: ['withdrawal'],
      unknown: [],
      permissions: ['place', 'cancel', 'balances'],
      unsafeSettings: [],
    });
  });

  it('counts reading as permitted, even when no permission to read is reported', () => {
    expect(permissionMismatch(spec, { permissions: ['withdraw'] }, ['withdrawal'])).toEqual({
      tooMuch: ['read'],
      tooLittle: [],
      unknown: [],
      permissions: ['withdraw'],
      unsafeSettings: [],
    });
  });

  it('warns of unknown permissions', () => {
    expect(permissionMismatch(spec, { permissions: ['balances', 'add-withdraw-address'] }, ['read'])).toEqual({
      tooMuch: [],
      tooLittle: [],
      unknown: ['add-withdraw-address'],
      permissions: ['balances', 'add-withdraw-address'],
      unsafeSettings: [],
    });
  });

  it('does not report access as missing when no permission of the exchange gives this access', () => {
    expect(permissionMismatch(spec, { permissions: ['balances'] }, ['read', 'deposit'])).toBeNull();
  });
});
