const evm = [
  '0x6e5e63c35d2a073e02ea92fb2127e064333a9534',
  '0xf590dd2c14162c9e4633a87258b9554da1237c69',
  '0x26e52d4bb1658e6c227b9b2c131a119320281581',
  '0xf0787d73ec33e95c9be985816eed37c21f1a39ba',
] as const;

/** Sample addresses by Kraken's network name. Their checksums are valid, but their private keys were discarded. */
export const sampleAddresses: Readonly<Record<string, readonly string[]>> = {
  Bitcoin: [
    'bc1q30hd07qtnrr3r8p7nm3ve0n6w83preauur5hs6',
    'bc1q5r7pezjvsdku62zap44ryk6ssfnrqre58gqvvq',
    '16UMkmhauCp7rRo89SciYkppzcTdfxrEFR',
    'bc1pjgv68y0p8ln590tkgc6p2wmqxwqun9y79d6sle83cx0kwwwcttcqd3xcrp',
  ],
  Lightning: [
    'lnbc1p54twgqsp5hf3edp5fugdv6slnztm3dsrk2qnhgvejntqlptd93es6yjgfrr6spp5ldkt2ltkk2ngq6h87jcslfzu77vh4fnaqswq3k54clqsvh2nq9dqdqz0q9qrsgqwwxr2lxxt69ccjnyrxg4jfzmd3wqq4psr2ls0pkyc9f2a0qey5rq693h379z4cwdl75sjqqr4plupx9zk2dknt665982f0g08zsce2sp25x8p6',
    // An invoice for 0.01 BTC, which accounts have saved. Causeway pays no invoices without an amount.
    'lnbc10m1p54twgqsp509duqh7637gkuwf0ffge3wkhjmjj5a7pvral63rtqx9lhy93jw2spp5yjgved89378gw4hpkdcv6z2u2l2p5tyjdfgcz4gvy25q9grnec5sdqz0q9qrsgqf6pmflh5qwwkqxf60mfgz0z93cyknjd4awxjnan0a0ue8kaxy4g8hsrew3kxdr2fjukw5qldhy6jaxvl82pmeuefjhr5mvg8952qpagqw346gf',
  ],
  Solana: [
    '7zADwCozoiVRH319AAKTKygQmDjynhFvpuKCMMMxbtoe',
    '2FqGyVw2XjegwRAij6kVW4PjxDjgQpaogJEFEryic2qV',
    'B36qenjYwpXCtzWxrmFxMf1zNuFZdUy9WiJ5dNwqDPaB',
  ],
  Tron: [
    'TDR7KSi89uu9y59gENZm39MACMfMptEpx3',
    'TFTZTbRCqE6hY52v2uVdgnS7rG3qMuVnMM',
    'TRFC5dYbxnVAAx4Krjf7rWR3R4VJKXdRyQ',
  ],
  Litecoin: [
    'ltc1q5ajjg4f5aw63u8h5vla94ntcmty9y97sgnkcsp',
    'ltc1qqkxa4282jtakewdaedpxc3g57v2dqrsx4l64ch',
    'LhHxAzrbDoP3auCBBWbZ5kheRKy9y9CarR',
  ],
  'Bitcoin Cash': ['1G9ofT3UdoKAeZJv82qVYmtjAJ812wUsq8', '18yT98BaUgXjhSNVpeEuL6qP2snVfTVxWH'],
  Dogecoin: ['D8evi4UAyfoETuBr3rC21WdBxpS3on1V7H', 'DCFV4czVAheatJJJCHTWE3NafhrLZfxsZn'],
  Zcash: ['t1gqMPbx6q7Fwce3bXohAo135ZznVibRhv5', 't1cQMaNTVgW3A1qGdQKjd95Jih1xd8RSd7B'],
  Dash: ['XhAtHG2329prFM3FhA2P9WXfhpNQa2c1eV', 'XvqbL16eKeHezFbXjdzH87PjQCE2HiVT1y'],
  Monero: [
    '4AZs4mH8WLwCVLCUV2HZctJHteuEFcssXfwf1T1XAwqGHJm8XHGhKubKEsy2c1urF6Bs7KXXjFpdrbwrahVPF67eJG84YjB',
    '491ht1NcQY8gtd6c4LGHDaWRXhsSCA2DSgdmvFhaqbowHYjrnenMULZEqggzqPpB7KHdyEZkovHvsGhTD8uWkQDN7hWvfuS',
  ],
  Ripple: ['r4Te9i7iBJUTMZf7DdfmRjzd6FJbDgNmV2', 'r32MzJoSozSZEUQgzXGErQk9uyBhqataFb'],
  Stellar: [
    'GCTALZWRQUMCBATU7NDQBJWNSTNTNJ3BFJAKITBCMXCS63YRHNRTHBVW',
    'GC2C4WUCSICIZB3FBGX77HL73K56TAF36F5AKFQUM5TALOKG7AWEF2CN',
  ],
  Hedera: ['0.0.6922603', '0.0.4489720'],
  Stacks: ['SP3V2T67H205AY8P56422Z4G3XC4MXM41GD2V60MH', 'SP22RWGSVC80A6Q9KADAK93SYCGDSENBFE9AYB7XJ'],
  Cosmos: ['cosmos182lynn35689cgtz3vsjanw3hg38g3tt7uyavr2', 'cosmos16ftw939gcfv2539x3870t8fh3aur8kcqle07vh'],
  Celestia: ['celestia176uvurkq5nd095dhwzp9ypxh3vsdx05hjl2v02', 'celestia19tv87qeks7f0apaxz49aje4wmxp8x2szpacwqu'],
  Injective: ['inj10s09nxjnx9s5vulfdyjdyneq2z2vc3l5875tnc', 'inj1j7s2x9e3ju2qk075pdyvwpfnegs5kp6gqzueca'],
  Sei: ['sei1ptqmtg9542wj0qtclzfmejvck0xy8ugw8chjej', 'sei1f3nxyh06quffmvrp2flsc4tkws59ymadlkt4tj'],
  'The Open Network': [
    'EQBYLbOmwnAfLW9e91yPvapprQ3D60vxPjwxS1l1wT-H3TSL',
    'UQBkJjpZjfsPqeBVy-eSpsqA3OBU5KRDdKRk001Xydn8rFHx',
  ],
  Cardano: [
    'addr1q82u9ywf5r46yge9r3340kux3fh5e483xducw69wt047hshhp2vpy95xvukxp6lt3t0k6kfpkx8qm79u2xsh9cdwr87suv5unf',
    'addr1q8jsm8jewjrdcx3lef5mezqjjjltfarjsglw62k9k5l2drv2m5x5q5uzdz78t7e8agamy88rtazx0v5t6chhh9w8s5es4avd4e',
  ],
  Polkadot: ['12kbKoeAzqVGiTBusEMmGb5NkGASX3iibDEUiNyapNcDRMGc', '13GGzrMKCkFStggEavJFarSdZ1sZmqPG9x3XfnPPbti2QWEh'],
  Kusama: ['Hp1rTRnQGJKwwVMjazKWChigXoxSE1o9qr7TJKenwcLemrV', 'J6G6Tch1WvUsqReuSTPcqdk2dVvA6TbucEREVgg4pkdSJw8'],
  Algorand: [
    'EIYE7F55XVP5FCQHQIWFUIC7HI2AHFDKHFRJWFQW33UHQS43SR2WMJ7SN4',
    'BWU3WPYA5CHE6BJBSJDX7L3YMROMXP5TK66PIG7SOMF3WT5W3SM44ACTIU',
  ],
  NEAR: [
    '125edbd2b1ce31ce0a21c53669189d881abd0f89f252e2cd6926aa8bb9990f4d',
    '5cf52f3c99a4ea085207ba0b4b48ee68adc06b2d0d016cd56fe7e18e64be43b2',
  ],
  Tezos: ['tz1XK3px6jRNTeygyQww1rfuxVbnZRtsMYP4', 'tz1SynvJMmZtKRtLxuGgKdPT6p7xRMFqAdLH'],
  Sui: [
    '0x2a029dc038fddb28ff6132b1cc4aafa0cc261eb086f740a80180bd83e4b1e031',
    '0xc9a5a32dae962d670800619c130727464bbd1829119cb055218a2b55a55bc0e2',
  ],
  Aptos: [
    '0xdaeb69017da966bc7024e47ce743183def9151cbdd6f95bf6e9485365ad4a0c6',
    '0xee9d07aba72467f7722db1f35717dcbf4c36087ad505e7a7e1649e6171554455',
  ],
  Filecoin: ['f1fcmylsaqexogl7z3pkepnrhbcd75drujzxm7uri', 'f12orb4wvanbams2ysds7q2hzk7su66uon4nnfgoa'],
  Ethereum: evm,
  'Ethereum Classic': evm,
  'Arbitrum One': evm,
  Optimism: evm,
  Base: evm,
  Polygon: evm,
  'BNB Smart Chain': evm,
  'Avalanche C-Chain': evm,
  Linea: evm,
  'zkSync Era': evm,
  Unichain: evm,
};
