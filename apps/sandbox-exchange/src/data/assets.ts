/** The fields follow Assets (docs.kraken.com/api-reference/market-data/get-asset-info). */
export interface SandboxAsset {
  /** Key of the asset in Kraken's responses, e.g. `XXBT`. */
  readonly id: string;
  /** Alternative name that Kraken accepts and shows, e.g. `XBT`. */
  readonly altname: string;
  /** The common code: the code that most exchanges and Causeway use, such as `BTC`. */
  readonly code: string;
  /** Decimal places in the ledger. */
  readonly decimals: number;
  readonly displayDecimals: number;
  readonly status: 'enabled' | 'deposit_only' | 'withdrawal_only' | 'funding_temporarily_disabled';
}

type Row = readonly [id: string, decimals: number, displayDecimals: number, altname?: string, code?: string];

/** A row omits the altname when it equals the id, and the code when it equals the altname. */
const rows: readonly Row[] = [
  ['ZUSD', 4, 2, 'USD'],
  ['ZEUR', 4, 2, 'EUR'],
  ['ZGBP', 4, 2, 'GBP'],
  ['ZCAD', 4, 2, 'CAD'],
  ['ZAUD', 4, 2, 'AUD'],
  ['ZJPY', 2, 0, 'JPY'],
  ['CHF', 4, 2],
  ['XXBT', 10, 5, 'XBT', 'BTC'],
  ['XETH', 10, 5, 'ETH'],
  ['XXRP', 8, 5, 'XRP'],
  ['XLTC', 10, 5, 'LTC'],
  ['XXDG', 8, 2, 'XDG', 'DOGE'],
  ['XXLM', 8, 5, 'XLM'],
  ['XXMR', 10, 5, 'XMR'],
  ['XZEC', 10, 5, 'ZEC'],
  ['XETC', 10, 5, 'ETC'],
  ['USDT', 8, 4],
  ['USDC', 8, 4],
  ['DAI', 10, 5],
  ['PYUSD', 8, 4],
  ['SOL', 10, 5],
  ['ADA', 8, 6],
  ['DOT', 10, 8],
  ['ATOM', 8, 6],
  ['POL', 10, 5],
  ['AVAX', 10, 5],
  ['BNB', 10, 5],
  ['TRX', 8, 6],
  ['BCH', 10, 5],
  ['DASH', 10, 5],
  ['LINK', 10, 5],
  ['UNI', 10, 5],
  ['AAVE', 10, 5],
  ['ALGO', 8, 5],
  ['NEAR', 10, 5],
  ['XTZ', 8, 6],
  ['FIL', 10, 5],
  ['SUI', 10, 5],
  ['APT', 10, 5],
  ['TON', 10, 5],
  ['ARB', 10, 5],
  ['OP', 10, 5],
  ['INJ', 10, 5],
  ['TIA', 8, 6],
  ['SEI', 8, 5],
  ['HBAR', 8, 5],
  ['STX', 8, 6],
  ['KSM', 10, 8],
  ['PAXG', 10, 5],
  ['SHIB', 5, 0],
  ['PEPE', 5, 0],
  ['LDO', 10, 5],
  ['CRV', 10, 5],
  ['GRT', 10, 5],
  // Exchanges list assets in any writing system, and with spaces and signs in their names.
  ['币安人生', 8, 5],
  ['Jade Protocol', 8, 5],
];

/** A few assets are closed for deposits or withdrawals, as at a real exchange. */
const statuses: Readonly<Record<string, SandboxAsset['status']>> = {
  KSM: 'withdrawal_only',
  DASH: 'funding_temporarily_disabled',
};

export const assets: readonly SandboxAsset[] = rows.map(
  ([id, decimals, displayDecimals, altname = id, code = altname]) => ({
    id,
    altname,
    code,
    decimals,
    displayDecimals,
    status: statuses[id] ?? 'enabled',
  }),
);
