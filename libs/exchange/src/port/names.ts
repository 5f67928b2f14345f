/** The form of an asset in requests: its symbol in any case. */
export const ASSET_PATTERN = /^[A-Za-z0-9.]{1,20}$/;
/** The form of a network in requests: our id or a common name (`resolveNetworkId`) in any case. */
export const NETWORK_PATTERN = /^[A-Za-z0-9 ._-]{1,40}$/;
