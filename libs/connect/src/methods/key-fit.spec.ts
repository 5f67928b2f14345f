import { permissionMismatch } from './key-fit.js';

const spec = {
  permissionAccess: { balances: ['read'], withdraw: ['withdrawal'], place: ['trade'], cancel: ['trade'] },
} as const;

describe("the mismatch of a key's permissions", () => {
  it('is null for a key that can do exactly what is requested', () => {
    expect(permissionMismatch(spec, ['balances', 'withdraw'], ['read', 'withdrawal'])).toBeNull();
    expect(permissionMismatch(spec, ['balances'], ['read'])).toBeNull();
  });

  it('is null where the exchange does not report permissions', () => {
    expect(permissionMismatch(spec, [], ['read', 'withdrawal'])).toBeNull();
  });

  it('names each kind of surplus and of missing access once', () => {
    expect(permissionMismatch(spec, ['place', 'cancel', 'balances'], ['read', 'withdrawal'])).toEqual({
      tooMuch: ['trade'],
      tooLittle: ['withdrawal'],
      unknown: [],
      permissions: ['place', 'cancel', 'balances'],
    });
  });

  it('counts reading as permitted, even when no permission to read is reported', () => {
    expect(permissionMismatch(spec, ['withdraw'], ['withdrawal'])).toEqual({
      tooMuch: ['read'],
      tooLittle: [],
      unknown: [],
      permissions: ['withdraw'],
    });
  });

  it('warns of unknown permissions', () => {
    expect(permissionMismatch(spec, ['balances', 'add-withdraw-address'], ['read'])).toEqual({
      tooMuch: [],
      tooLittle: [],
      unknown: ['add-withdraw-address'],
      permissions: ['balances', 'add-withdraw-address'],
    });
  });

  it('does not report access as missing when no permission of the exchange gives this access', () => {
    expect(permissionMismatch(spec, ['balances'], ['read', 'deposit'])).toBeNull();
  });
});
