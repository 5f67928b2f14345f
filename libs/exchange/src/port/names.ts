/** The format of an asset in requests: its symbol in any case. */
export const ASSET_PATTERN = /^[A-Za-z0-9.]{1,20}$/;
export const ASSET_MESSAGE = '$property must be 1 to 20 letters, digits or dots';
/** The format of a network in requests: our id or a common name (`resolveNetworkId`) in any case. */
export const NETWORK_PATTERN = /^[A-Za-z0-9 ._-]{1,40}$/;
export const NETWORK_MESSAGE = '$property must be 1 to 40 characters of A-Z a-z 0-9 . _ - and spaces';
