import { describeContract } from '../../testing/contract/describe-contract.js';
import { binanceContract } from './binance-contract.js';
import { binance } from './binance.js';

describeContract({ declaration: binance, contract: binanceContract });
