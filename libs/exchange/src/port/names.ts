/** How a caller may write an asset: its symbol in any case. */
export const ASSET_PATTERN = /^[A-Za-z0-9.]{1,20}$/;
/** How a caller may write a network: our id or a common name (`resolveNetworkId`) in any case. */
export const NETWORK_PATTERN = /^[A-Za-z0-9 ._-]{1,40}$/;
