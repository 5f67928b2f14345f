/** Nonces of API keys at exchanges. */
export const nonces = `
-- The last nonce of each API key at an exchange. Unlogged, so that no call to an exchange waits for the disk: after a
-- crash of the server, nonces start from the present time.
create unlogged table exchange_nonces (
  -- SHA-256 of the exchange's address and the API key.
  owner bytea primary key check (length(owner) = 32),
  last bigint not null,
  -- The submission that uses the nonce exclusively: until exclusive_until, no other call gets a nonce of this key.
  holder uuid,
  exclusive_until timestamptz,
  check ((holder is null) = (exclusive_until is null))
) with (fillfactor = 50);
`;
