import { permissionMismatch } from './key-fit.js';

const spec = {
  permissionAccess: { balances: ['read'], withdraw: ['withdrawal'], place: ['trade'], cancel: ['trade'] },
} as const;

describe('permissionMismatch', () => {
  it('is nothing for a key that can do what is wanted', () => {
    expect(permissionMismatch(spec, ['balances', 'withdraw'], ['read', 'withdrawal'])).toBeNull();
    expect(permissionMismatch(spec, ['balances'], ['read'])).toBeNull();
  });

  it('is nothing where the exchange does not tell', () => {
    expect(permissionMismatch(spec, [], ['read', 'withdrawal'])).toBeNull();
  });

  it('names what is too much and too little, each once', () => {
    expect(permissionMismatch(spec, ['place', 'cancel', 'balances'], ['read', 'withdrawal'])).toEqual({
      tooMuch: ['trade'],
      tooLittle: ['withdrawal'],
      unknown: [],
      permissions: ['place', 'cancel', 'balances'],
    });
  });

  it('takes reading for granted', () => {
    expect(permissionMismatch(spec, ['withdraw'], ['withdrawal'])).toEqual({
      tooMuch: ['read'],
      tooLittle: [],
      unknown: [],
      permissions: ['withdraw'],
    });
  });

  it('warns of what it does not know', () => {
    expect(permissionMismatch(spec, ['balances', 'add-withdraw-address'], ['read'])).toEqual({
      tooMuch: [],
      tooLittle: [],
      unknown: ['add-withdraw-address'],
      permissions: ['balances', 'add-withdraw-address'],
    });
  });

  it('does not miss what no permission is for', () => {
    expect(permissionMismatch(spec, ['balances'], ['read', 'deposit'])).toBeNull();
  });
});
