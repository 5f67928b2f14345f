import { ValidationFailed } from '#platform/errors';
import { isLogoAddress, registrableOrigin, registrableReturnUrl, requireAddresses } from './connect-addresses.js';

describe('registrableOrigin', () => {
  it.each([
    'https://shop.example',
    'https://shop.example:8443',
    'http://localhost:3000',
    'http://127.0.0.1',
    'http://[::1]:3000',
  ])('accepts %s', (origin) => expect(registrableOrigin(origin)).toBe(origin));

  it.each([
    'null',
    '*',
    'https://*.shop.example',
    'https://shop.example/',
    'https://shop.example/path',
    'https://shop.example:443',
    'https://SHOP.example',
    'https://shop.example.',
    'https://user@shop.example',
    'http://shop.example',
    'http://localhost.evil.example',
    'http://127.0.0.2',
    'https://',
    'shop.example',
    'file:///etc',
    'javascript:alert(1)',
    ' https://shop.example',
    `https://${'a'.repeat(500)}.example`,
  ])('refuses %s', (origin) => expect(registrableOrigin(origin)).toBeNull());
});

describe('registrableReturnUrl', () => {
  it.each([
    'https://shop.example',
    'https://shop.example/',
    'https://shop.example/connected?from=causeway',
    'http://localhost:3000/connected',
  ])('accepts %s unchanged', (url) => expect(registrableReturnUrl(url)).toBe(url));

  it.each([
    'http://shop.example/',
    'https://shop.example@evil.example/',
    'https://user:password@shop.example/',
    'https://shop.example/#top',
    'https://shop.example/#',
    'https://shop.example\\@evil.example/',
    'https://shop.example/a/../b',
    'https://shop.example/\tconnected',
    'https:shop.example/',
    'https:///shop.example/',
    '//shop.example/',
    '/connected',
    'com.example.app:/connected',
    'javascript:alert(1)//https://shop.example/',
    'data:text/html,x',
  ])('refuses %s', (url) => expect(registrableReturnUrl(url)).toBeNull());
});

describe('requireAddresses', () => {
  it('removes duplicates and keeps the order of the addresses', () => {
    const texts = ['https://b.example', 'https://a.example', 'https://b.example'];
    expect(requireAddresses('origins', texts, registrableOrigin)).toEqual(['https://b.example', 'https://a.example']);
  });

  it('accepts up to 20 addresses', () => {
    const texts = (count: number) => Array.from({ length: count }, (_, index) => `https://shop-${index}.example`);
    expect(requireAddresses('origins', texts(20), registrableOrigin)).toHaveLength(20);
    expect(() => requireAddresses('origins', texts(21), registrableOrigin)).toThrow(ValidationFailed);
  });
});

describe('the address of a logo', () => {
  it.each(['https://shop.example/logo.png', 'https://cdn_1.shop.example:8443/a;b c.png', 'https://[2001:db8::1]/x'])(
    'may be %s',
    (text) => expect(isLogoAddress(text)).toBe(true),
  );

  it.each([
    'logo.png',
    'http://shop.example/logo.png',
    'data:image/png;base64,AA',
    // The hosts of the next addresses would change the content security policy of the page.
    'https://shop.example;sandbox/logo.png',
    'https://shop.example,x/logo.png',
    'https://*.example/logo.png',
    "https://'self'/logo.png",
  ])('may not be %s', (text) => expect(isLogoAddress(text)).toBe(false));
});
